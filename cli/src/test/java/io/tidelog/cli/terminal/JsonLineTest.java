package io.tidelog.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonLineTest {
  @Test
  void texts_are_escaped_so_that_a_line_stays_a_line() {
    assertThat(JsonLine.of("a\"b\\c\nd\re\tf\u0000g\u2028"))
        .isEqualTo("\"a\\\"b\\\\c\\nd\\re\\tf\\u0000g\u2028\"");
  }

  @Test
  void surrogate_pairs_stay_and_lone_ones_are_escaped() {
    assertThat(JsonLine.of("\ud83c\udf0a \ud83c x \udf0a"))
        .isEqualTo("\"\ud83c\udf0a \\ud83c x \\udf0a\"");
  }

  @Test
  void structures_nest() {
    assertThat(JsonLine.of(Map.of("a", List.of(1L, true, Map.of(), List.of()))))
        .isEqualTo("{\"a\":[1,true,{},[]]}");
  }
}
