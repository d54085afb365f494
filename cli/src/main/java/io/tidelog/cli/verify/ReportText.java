package io.tidelog.cli.verify;

import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Severity;
import io.tidelog.verify.VerifyReport;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a check found, for people or for programs. */
final class ReportText {
  /** For this locale alone Java formats numbers without opening each jar to look for locales. */
  private static final Locale PLAIN = Locale.US;

  private final VerifyReport report;

  ReportText(VerifyReport report) {
    this.report = report;
  }

  /** For people: what a kind means, and what to do, is said once. */
  void to(PrintStream out) {
    Set<FindingKind> explained = EnumSet.noneOf(FindingKind.class);
    for (Finding finding : report.findings()) {
      out.println(headline(finding));
      out.printf(Locale.ROOT, "  found %s, expected %s%n", finding.found(), finding.expected());
      if (explained.add(finding.kind())) {
        out.printf(
            Locale.ROOT,
            "  %s.%n  To do: %s.%n",
            capitalized(finding.kind().meaning()),
            finding.kind().advice());
      }
    }
    out.printf(
        PLAIN,
        "%,d partitions, %,d segments, %,d batches, %,d bytes of logs: %s%n",
        report.partitions(),
        report.segments(),
        report.batches(),
        report.logBytes(),
        verdict());
  }

  private static String headline(Finding finding) {
    StringBuilder line = new StringBuilder();
    line.append(finding.severity()).append(' ').append(finding.kind().code());
    line.append(' ').append(finding.file());
    if (finding.position() > 0 || finding.offsets().isPresent()) {
      line.append(" at byte ").append(finding.position());
    }
    finding
        .offsets()
        .ifPresent(
            range ->
                line.append(", offsets ")
                    .append(range.start())
                    .append(" to ")
                    .append(range.end() - 1));
    return line.toString();
  }

  private static String capitalized(String sentence) {
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  private String verdict() {
    return report.findings().isEmpty()
        ? "sound"
        : "%s%d damaged, %d warnings, %d notes"
            .formatted(
                report.isSound() ? "sound; " : "",
                count(Severity.DAMAGE),
                count(Severity.WARNING),
                count(Severity.NOTE));
  }

  private long count(Severity severity) {
    return report.findings().stream().filter(found -> found.severity() == severity).count();
  }

  /** For programs: a row for each finding, and one for the whole. */
  void to(Rows rows) {
    for (Finding finding : report.findings()) {
      Row row =
          Row.of("finding")
              .with("severity", finding.severity().name().toLowerCase(Locale.ROOT))
              .with("code", finding.kind().code())
              .with("file", finding.file().toString())
              .with("position", finding.position());
      finding
          .offsets()
          .ifPresent(
              range -> row.with("firstOffset", range.start()).with("lastOffset", range.end() - 1));
      rows.row(
          row.with("found", finding.found())
              .with("expected", finding.expected())
              .with("meaning", finding.kind().meaning())
              .with("advice", finding.kind().advice()));
    }
    rows.row(
        Row.of("summary")
            .with("sound", report.isSound() ? "yes" : "no")
            .with("partitions", report.partitions())
            .with("segments", report.segments())
            .with("batches", report.batches())
            .with("logBytes", report.logBytes())
            .with("damage", count(Severity.DAMAGE))
            .with("warnings", count(Severity.WARNING))
            .with("notes", count(Severity.NOTE)));
  }
}
