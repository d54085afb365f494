package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Whether a segment's log is that of another one, as after two files were exchanged. */
final class ExchangedLog {
  private final PartitionContext context;
  private final long baseOffset;

  ExchangedLog(PartitionContext context, long baseOffset) {
    this.context = context;
    this.baseOffset = baseOffset;
  }

  /**
   * Looks at the first two batches: one wrong offset may be damage, two that follow one another and
   * begin where another segment does are not.
   */
  Optional<Finding> find(DiskFile log, int logBytes) throws IOException {
    Optional<RecordBatch> first = header(log, 0, logBytes);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    long begins = first.get().baseOffset();
    if (begins == baseOffset || !context.files().logs().contains(begins)) {
      return Optional.empty();
    }
    long next = first.get().lastOffset() + 1;
    return header(log, first.get().sizeBytes(), logBytes)
        .filter(second -> second.baseOffset() == next)
        .map(
            second ->
                Finding.of(
                    FindingKind.LOG_EXCHANGED,
                    log.path(),
                    0,
                    "batches from offset %d on".formatted(begins),
                    "batches from %d on, as its name says".formatted(baseOffset)));
  }

  private static Optional<RecordBatch> header(DiskFile log, int at, int logBytes)
      throws IOException {
    ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
    if (logBytes - at < RecordBatch.HEADER_BYTES
        || log.read(header, at) < RecordBatch.HEADER_BYTES) {
      return Optional.empty();
    }
    RecordBatch batch = RecordBatch.at(header.clear(), 0);
    boolean isWhole =
        batch.batchLength() >= RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES
            && batch.batchLength() <= logBytes - at - RecordBatch.LOG_OVERHEAD_BYTES;
    return batch.magic() == RecordBatch.MAGIC && isWhole ? Optional.of(batch) : Optional.empty();
  }
}
