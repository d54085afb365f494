package io.tidelog.cli.dump;

import io.tidelog.cli.terminal.Progress;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.Compression;
import io.tidelog.record.ControlType;
import io.tidelog.record.EndTransaction;
import io.tidelog.record.HeaderCursor;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.TimestampType;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The batches of a {@code .log} and their records. A batch whose bytes do not match its CRC, or
 * whose records are malformed, is reported and passed over, for its length still says where the
 * next one starts; a header that cannot be one ends the walk.
 */
final class LogDump implements FileDump {

  /** How much is shown. */
  enum Detail {
    BATCHES,
    RECORDS
  }

  private final Disk disk;
  private final Path file;
  private final Detail detail;
  private final Progress progress;

  LogDump(Disk disk, Path file, Detail detail, Progress progress) {
    this.disk = disk;
    this.file = file;
    this.detail = detail;
    this.progress = progress;
  }

  @Override
  public void to(Findings rows) throws IOException {
    try (DiskFile log = disk.openReadOnly(file);
        KafkaCodecs codecs = KafkaCodecs.create()) {
      int sizeBytes = (int) Math.min(log.sizeBytes(), Integer.MAX_VALUE);
      RecordCursor records = new RecordCursor(codecs);
      BatchWalk walk = BatchWalk.scan(log, 0, sizeBytes);
      while (walk.next()) {
        int end = walk.end();
        rows.row(batchRow(walk));
        if (!isShown(walk, records, rows)) {
          walk = BatchWalk.scan(log, end, sizeBytes);
        }
        progress.at(end, sizeBytes);
      }
    }
  }

  /** Shows the records of a batch; false if the walk cannot go on from it. */
  private boolean isShown(BatchWalk walk, RecordCursor records, Findings rows) throws IOException {
    try {
      if (detail == Detail.BATCHES) {
        walk.checkCrc();
      } else {
        showRecords(walk.soundBatch(), records, rows);
      }
    } catch (CorruptLogException wrongCrc) {
      rows.damage(file, wrongCrc.getMessage());
      return false;
    } catch (InvalidBatchException malformed) {
      rows.damage(
          file, "%s at byte %d: %s".formatted(file, walk.position(), malformed.getMessage()));
    }
    return true;
  }

  private static Row batchRow(BatchWalk walk) {
    RecordBatch batch = walk.batch();
    int codecCode = batch.attributes() & 0x07;
    Row row =
        Row.of("batch")
            .with("position", walk.position())
            .with("bytes", batch.sizeBytes())
            .with("baseOffset", batch.baseOffset())
            .with("lastOffset", batch.lastOffset())
            .with("records", batch.recordCount())
            .with("leaderEpoch", batch.leaderEpoch())
            .with("compression", compression(codecCode))
            .with("timestampType", timestampType(batch))
            .with(
                batch.hasDeleteHorizon() ? "deleteHorizon" : "baseTimestamp",
                Instant.ofEpochMilli(batch.baseTimestamp()))
            .with("maxTimestamp", Instant.ofEpochMilli(batch.maxTimestamp()));
    if (batch.hasProducerId()) {
      row.with("producerId", batch.producerId())
          .with("producerEpoch", batch.producerEpoch())
          .with("baseSequence", batch.baseSequence())
          .with("lastSequence", batch.lastSequence());
    }
    return row.with("transactional", batch.isTransactional())
        .with("control", batch.isControl())
        .with("crc", String.format("0x%08x", batch.crc()));
  }

  private static String compression(int code) {
    return Compression.isKnown(code)
        ? Compression.of(code).name().toLowerCase(Locale.ROOT)
        : "unknown code " + code;
  }

  private static String timestampType(RecordBatch batch) {
    return batch.timestampType() == TimestampType.CREATE_TIME ? "CreateTime" : "LogAppendTime";
  }

  private static void showRecords(RecordBatch batch, RecordCursor records, Rows rows) {
    records.open(batch, UnpackLimits.DEFAULT);
    while (records.next()) {
      Row row =
          Row.under("record")
              .with("offset", records.offset())
              .with("timestamp", Instant.ofEpochMilli(records.timestamp()));
      if (batch.isControl()) {
        addControl(row, records);
      } else {
        row.with("key", records.key()).with("value", records.value());
      }
      if (records.headerCount() > 0) {
        row.with("headers", headers(records.headers()));
      }
      rows.row(row);
    }
  }

  private static void addControl(Row row, RecordCursor record) {
    ControlType type = ControlType.ofKey(record.key());
    row.with("control", type.name());
    if (type == ControlType.ABORT || type == ControlType.COMMIT) {
      row.with("coordinatorEpoch", EndTransaction.ofValue(record.value()).coordinatorEpoch());
    } else {
      row.with("key", record.key()).with("value", record.value());
    }
  }

  private static List<Row> headers(HeaderCursor headers) {
    List<Row> rows = new ArrayList<>();
    while (headers.next()) {
      rows.add(Row.of("header").with("key", headers.key()).with("value", headers.value()));
    }
    return rows;
  }
}
