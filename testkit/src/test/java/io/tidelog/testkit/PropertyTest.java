package io.tidelog.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropertyTest {

  @Test
  void canary_a_false_claim_fails_and_is_shrunk_to_what_breaks_it() {
    Property<Integer> property =
        Property.<Integer>named("no 7 comes before a 3")
            .operations(100, random -> random.nextInt(10));
    assertThatThrownBy(
            () ->
                property.holds(
                    numbers -> {
                      int seven = numbers.indexOf(7);
                      assertThat(seven >= 0 && numbers.lastIndexOf(3) > seven).isFalse();
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("2 of")
        .hasMessageContaining("[7, 3]")
        .hasMessageContaining("-Dtidelog.seed=")
        .hasCauseInstanceOf(AssertionError.class);
  }

  @Test
  void the_lists_are_the_same_in_every_run() {
    assertThat(lists()).isEqualTo(lists()).doesNotHaveDuplicates();
  }

  private static List<List<Integer>> lists() {
    List<List<Integer>> seen = new ArrayList<>();
    Property.<Integer>named("any")
        .runs(20)
        .operations(30, random -> random.nextInt())
        .holds(seen::add);
    return seen;
  }
}
