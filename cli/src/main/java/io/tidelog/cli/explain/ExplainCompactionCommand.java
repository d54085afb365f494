package io.tidelog.cli.explain;

import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.compaction.CompactionPlan;
import io.tidelog.disk.Disk;
import io.tidelog.explain.CompactionExplanation;
import io.tidelog.explain.CompactionExplanation.Answer;
import io.tidelog.explain.CompactionExplanation.OfSegment;
import io.tidelog.explain.PartitionOnDisk;
import io.tidelog.log.LogSettings;
import io.tidelog.segment.DamagedStretch;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidelog explain compaction}. */
@Command(
    name = "compaction",
    description =
        "Say whether it is time to compact a partition, what keeps it from that, and what each"
            + " segment still has to lose.")
public final class ExplainCompactionCommand implements Callable<Integer> {
  private final Disk disk;
  private final InstantSource clock;
  private final Streams streams;

  @Mixin private Where where;
  @Mixin private SettingOptions settingOptions;
  @Mixin private Presentation presentation;

  public ExplainCompactionCommand(Disk disk, InstantSource clock, Streams streams) {
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
    long nowMs = clock.millis();
    Answer answer = CompactionExplanation.of(log, known.settings(), nowMs);
    Rows rows = presentation.rows(streams);
    rows.row(
        row(log, known, answer).with("now", Instant.ofEpochMilli(nowMs)).with("why", answer.why()));
    answer.damage().ifPresent(damage -> rows.row(row(damage)));
    for (OfSegment segment : answer.segments()) {
      rows.row(row(segment));
    }
  }

  private static Row row(PartitionOnDisk log, SettingOptions.Known known, Answer answer)
      throws IOException {
    LogSettings settings = known.settings();
    CompactionPlan plan = answer.plan();
    Row row =
        Row.of("log")
            .with("partition", log.partition().toString())
            .with("startOffset", log.start())
            .with("endOffset", log.end())
            .with("cleanup.policy", settings.values().get("cleanup.policy"))
            .with("defaultsAssumed", known.areAssumed())
            .with("verdict", lower(plan.verdict()))
            .with("firstDirtyOffset", plan.firstDirtyOffset())
            .with("dirtyFrom", lower(plan.from()))
            .with("firstUncleanableOffset", plan.firstUncleanableOffset())
            .with("limit", lower(plan.limit()))
            .with("cleanBytes", plan.cleanBytes())
            .with("dirtyBytes", plan.dirtyBytes())
            .with("dirtyRatio", String.format(Locale.ROOT, "%.3f", plan.dirtyRatio()))
            .with("min.cleanable.dirty.ratio", settings.values().get("min.cleanable.dirty.ratio"))
            .with("allKeysHeld", answer.isComplete());
    answer.notBeforeMs().ifPresent(ms -> row.with("notBefore", Instant.ofEpochMilli(ms)));
    return row;
  }

  private static Row row(DamagedStretch damage) {
    return Row.of("damage")
        .with("file", damage.file().toString())
        .with("position", damage.part().from())
        .with("firstOffset", damage.part().firstOffset());
  }

  private static Row row(OfSegment answer) {
    Row row =
        Row.of("segment")
            .with("baseOffset", answer.segment().baseOffset())
            .with("endOffset", answer.endOffset())
            .with("bytes", answer.segment().sizeBytes())
            .with("state", lower(answer.state()));
    answer
        .contents()
        .ifPresent(
            contents -> {
              row.with("records", contents.records())
                  .with("goes", contents.goes())
                  .with("tombstones", contents.tombstones())
                  .with("markers", contents.markers());
              contents
                  .firstHorizonMs()
                  .ifPresent(ms -> row.with("firstHorizon", Instant.ofEpochMilli(ms)));
              contents
                  .lastHorizonMs()
                  .ifPresent(ms -> row.with("lastHorizon", Instant.ofEpochMilli(ms)));
            });
    return row.with("why", answer.why());
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
