package io.tidelog.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a row says of its pairs. */
class ComparisonTest {
  private static final Figure CPU = Figure.of("CPU", "us");

  @Test
  void the_ratio_is_the_median_of_the_ratios_and_not_that_of_the_medians() {
    Comparison row =
        new Comparison("load", CPU, List.of(1.0, 20.0, 3.0), List.of(10.0, 100.0, 5.0));
    assertThat(row.ratio()).isEqualTo(0.2);
    assertThat(row.leastRatio()).isEqualTo(0.1);
    assertThat(row.mostRatio()).isEqualTo(0.6);
  }

  @Test
  void a_target_is_met_up_to_its_bound_and_no_further() {
    List<Double> ours = List.of(2.0);
    List<Double> theirs = List.of(8.0);
    assertThat(new Comparison("load", CPU.atMost(0.25), ours, theirs).isMet()).isTrue();
    assertThat(new Comparison("load", CPU.atMost(0.24), ours, theirs).isMet()).isFalse();
    assertThat(new Comparison("load", CPU.atLeast(0.25), ours, theirs).isMet()).isTrue();
    assertThat(new Comparison("load", CPU.atLeast(0.26), ours, theirs).isMet()).isFalse();
    assertThat(new Comparison("load", CPU, ours, theirs).hasTarget()).isFalse();
  }

  @Test
  void values_without_a_partner_are_refused() {
    assertThatThrownBy(() -> new Comparison("load", CPU, List.of(1.0, 2.0), List.of(1.0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_figure_that_was_not_measured_is_told_instead_of_left_out() {
    assertThatThrownBy(() -> new Sample().with(Figure.of("other", "us"), 1).value(CPU))
        .hasMessageContaining("CPU, us");
  }

  @Test
  void the_file_holds_every_pair_and_says_whether_the_target_was_met() {
    Comparison row = new Comparison("load", CPU.atMost(0.5), List.of(1.0), List.of(4.0));
    assertThat(ResultFile.json(Map.of("commit", "a\"b"), List.of(row)))
        .contains("\"commit\": \"a\\\"b\"")
        .contains("\"ratio\": 0.25")
        .contains("\"met\": true")
        .contains("\"tidelog\": [1.0], \"beside\": [4.0]");
  }
}
