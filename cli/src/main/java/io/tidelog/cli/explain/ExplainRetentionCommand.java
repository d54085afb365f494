package io.tidelog.cli.explain;

import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.disk.Disk;
import io.tidelog.explain.PartitionOnDisk;
import io.tidelog.explain.RetentionExplanation;
import io.tidelog.explain.RetentionExplanation.Answer;
import io.tidelog.log.LogSettings;
import io.tidelog.retention.Verdict;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidelog explain retention}. */
@Command(
    name = "retention",
    description =
        "Say of each segment when retention removes it and which time decides, or why not.")
public final class ExplainRetentionCommand implements Callable<Integer> {
  private final Disk disk;
  private final InstantSource clock;
  private final Streams streams;

  @Mixin private Where where;
  @Mixin private SettingOptions settingOptions;
  @Mixin private Presentation presentation;

  public ExplainRetentionCommand(Disk disk, InstantSource clock, Streams streams) {
    this.disk = disk;
    this.clock = clock;
    this.streams = streams;
  }

  @Override
  public Integer call() {
    return Reading.exitCodeOf(this::explain);
  }

  private void explain() throws IOException {
    PartitionOnDisk log = where.files(disk);
    SettingOptions.Known known = settingOptions.of(where, disk);
    LogSettings settings = known.settings();
    Rows rows = presentation.rows(streams);
    long nowMs = clock.millis();
    rows.row(
        Row.of("log")
            .with("partition", log.partition().toString())
            .with("startOffset", log.start())
            .with("endOffset", log.end())
            .with("cleanup.policy", settings.values().get("cleanup.policy"))
            .with("retention.ms", settings.retentionMs())
            .with("retention.bytes", settings.retentionBytes())
            .with("retentionClock", settings.values().get("tidelog.retention.clock"))
            .with("defaultsAssumed", known.areAssumed())
            .with("now", Instant.ofEpochMilli(nowMs)));
    for (Answer answer : RetentionExplanation.of(log, settings, nowMs)) {
      rows.row(row(answer));
    }
  }

  private static Row row(Answer answer) {
    Verdict verdict = answer.verdict();
    Row row =
        Row.of("segment")
            .with("baseOffset", verdict.segment().baseOffset())
            .with("endOffset", verdict.endOffset())
            .with("bytes", verdict.segment().sizeBytes())
            .with("reason", verdict.reason().name().toLowerCase(Locale.ROOT));
    if (verdict.decidingMs() != Verdict.NO_TIME) {
      row.with("decidingTimestamp", Instant.ofEpochMilli(verdict.decidingMs()));
    }
    answer.newest().ifPresent(newest -> row.with("decidingOffset", newest.offset()));
    if (answer.goesAtMs() == Verdict.NEVER) {
      row.with("never", true);
    } else {
      row.with("goesAt", Instant.ofEpochMilli(answer.goesAtMs()));
    }
    return row.with("why", answer.why());
  }
}
