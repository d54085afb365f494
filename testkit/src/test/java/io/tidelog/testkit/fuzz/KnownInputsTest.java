package io.tidelog.testkit.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class KnownInputsTest {

  @Test
  void canary_an_input_that_breaks_the_claim_is_named_with_its_line() {
    assertThatThrownBy(() -> KnownInputs.replay(new Canary()))
        .isInstanceOf(AssertionError.class)
        .hasMessage("Canary fails with Canary.inputs line 4: VH6tvhGBUkHu")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void seeds_and_what_was_found_are_tried_and_the_empty_input_too() throws Exception {
    Lengths lengths = new Lengths();
    KnownInputs.replay(lengths);
    assertThat(lengths.seen).containsExactly("0", "3", "0", "2", "0");
  }

  @Test
  void a_target_need_not_be_public() throws Exception {
    assertThat(FuzzEntry.make(Canary.class.getName())).isInstanceOf(Canary.class);
  }

  /** Notes how long each input is. */
  private static final class Lengths implements FuzzTarget {
    private final List<String> seen = new java.util.ArrayList<>();

    @Override
    public List<byte[]> seeds() {
      return List.of(new byte[0], new byte[3]);
    }

    @Override
    public void check(byte[] input) {
      seen.add(Integer.toString(input.length));
    }
  }
}
