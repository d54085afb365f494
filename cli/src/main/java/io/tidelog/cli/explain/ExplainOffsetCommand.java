package io.tidelog.cli.explain;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.disk.Disk;
import io.tidelog.explain.OffsetExplanation;
import io.tidelog.explain.OffsetExplanation.Place;
import io.tidelog.explain.OffsetLookup;
import io.tidelog.explain.PartitionOnDisk;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidelog explain offset}. */
@Command(
    name = "offset",
    description =
        "Say where an offset lies and how it is found, what is there, and which readers get it.")
public final class ExplainOffsetCommand implements Callable<Integer> {
  private final Disk disk;
  private final Streams streams;

  @Mixin private Where where;

  @Parameters(index = "1", paramLabel = "OFFSET", description = "The offset.")
  private long offset;

  @Mixin private Presentation presentation;

  public ExplainOffsetCommand(Disk disk, Streams streams) {
    this.disk = disk;
    this.streams = streams;
  }

  @Override
  public Integer call() {
    if (offset < 0) {
      throw CommandException.usage("OFFSET is " + offset + ", expected 0 or more");
    }
    Place[] place = new Place[1];
    int exitCode = Reading.exitCodeOf(() -> place[0] = explain());
    return place[0] == Place.DAMAGED ? ExitCode.FAILED : exitCode;
  }

  private Place explain() throws IOException {
    PartitionOnDisk log = where.files(disk);
    OffsetExplanation found = OffsetExplanation.of(log, offset);
    Rows rows = presentation.rows(streams);
    Row row =
        Row.of("offset")
            .with("offset", offset)
            .with("is", found.place().name().toLowerCase(Locale.ROOT))
            .with("startOffset", log.start())
            .with("lastStableOffset", found.stable())
            .with("endOffset", log.end());
    found.leaderEpoch().ifPresent(epoch -> row.with("leaderEpoch", epoch));
    rows.row(row.with("why", why(found)));
    found.lookup().ifPresent(lookup -> showLookup(found, lookup, rows));
    found.record().ifPresent(record -> rows.row(recordRow(record)));
    return found.place();
  }

  private static String why(OffsetExplanation found) {
    return switch (found.place()) {
      case RECORD -> "a record, which %s".formatted(readers(found));
      case CONTROL_RECORD -> "a control record, which no reader gets as data";
      case REMOVED_FROM_BATCH ->
          "the batch spans this offset but has no record for it: compaction removed that";
      case GAP -> "no batch has this offset: compaction removed it, or it was lost";
      case DAMAGED -> found.damage().orElseThrow().getMessage();
      case BELOW_START -> "it lies below the log start offset: deleted";
      case PAST_END -> "no record has this offset yet";
    };
  }

  private static String readers(OffsetExplanation found) {
    if (found.isCommitted()) {
      return "every reader gets";
    }
    return found
        .aborted()
        .map(
            transaction ->
                "read_committed passes over: its transaction was aborted by the marker at offset %d"
                    .formatted(transaction.lastOffset()))
        .orElse("read_committed does not get yet: it lies at or past the last stable offset");
  }

  private static void showLookup(OffsetExplanation found, OffsetLookup lookup, Rows rows) {
    Row row = Row.under("lookup").with("file", found.log().orElseThrow().toString());
    if (lookup.entry() >= 0) {
      row.with("indexEntry", lookup.entry());
    }
    row.with("scanFrom", lookup.from()).with("scannedBytes", lookup.scannedBytes());
    lookup.indexDamage().ifPresent(damage -> row.with("indexUnusable", damage.getMessage()));
    rows.row(row);
    lookup.batch().ifPresent(batch -> rows.row(batchRow(lookup.position(), batch)));
  }

  private static Row batchRow(int position, RecordBatch batch) {
    Row row =
        Row.under("batch")
            .with("position", position)
            .with("bytes", batch.sizeBytes())
            .with("baseOffset", batch.baseOffset())
            .with("lastOffset", batch.lastOffset())
            .with("records", batch.recordCount())
            .with("leaderEpoch", batch.leaderEpoch())
            .with("maxTimestamp", Instant.ofEpochMilli(batch.maxTimestamp()));
    if (batch.hasProducerId()) {
      row.with("producerId", batch.producerId()).with("producerEpoch", batch.producerEpoch());
    }
    return row.with("transactional", batch.isTransactional()).with("control", batch.isControl());
  }

  private static Row recordRow(OffsetExplanation.Found record) {
    return Row.under("record")
        .with("index", record.index())
        .with("timestamp", Instant.ofEpochMilli(record.timestampMs()))
        .with("key", record.key())
        .with("value", record.value());
  }
}
