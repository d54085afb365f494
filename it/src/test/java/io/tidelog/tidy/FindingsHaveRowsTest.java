package io.tidelog.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.verify.FindingKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code tidelog verify} can find stands in {@code docs/errors.md}, in the words it uses. */
class FindingsHaveRowsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ([a-z-]+) \\| (note|warning|damage) \\| (.*) \\| (.*) \\|$");

  @Test
  void every_kind_of_finding_has_its_row() {
    Project project = Project.find();
    String errors =
        project.files("errors.md").stream().map(Project::read).findFirst().orElseThrow();
    List<String> rows = ROW.matcher(errors).results().map(MatchResult::group).toList();

    assertThat(rows).isEqualTo(Arrays.stream(FindingKind.values()).map(this::row).toList());
  }

  private String row(FindingKind kind) {
    return "| %s | %s | %s | %s |"
        .formatted(
            kind.code(),
            kind.severity().name().toLowerCase(Locale.ROOT),
            kind.meaning(),
            kind.advice());
  }
}
