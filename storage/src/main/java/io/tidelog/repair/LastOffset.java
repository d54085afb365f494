package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The base offset of the very last batch lies outside of its CRC, and no batch follows that would
 * show it to be too large. A clean stop has noted where the log ended: if the batch fits exactly
 * between the one before it and there, that is its place.
 */
final class LastOffset {
  private final Target target;
  private long expected;
  private int position;
  private long baseOffset;
  private long nextOffset;

  private LastOffset(Target target) {
    this.target = target;
  }

  /**
   * The step that mends it; empty if it is right, or nobody knows.
   *
   * @param end where a clean stop left the log's end
   */
  static Optional<RepairStep> mend(Target target, long end) throws IOException {
    LastOffset last = new LastOffset(target);
    return target.logs().isEmpty() ? Optional.empty() : last.mend(target.logs().last(), end);
  }

  private Optional<RepairStep> mend(long base, long end) throws IOException {
    nextOffset = base;
    target.eachBatch(base, this::visit);
    long offsets = nextOffset - baseOffset;
    if (nextOffset <= end || baseOffset <= expected || expected + offsets != end) {
      return Optional.empty();
    }
    Path log = target.path(base, SegmentFiles.LOG);
    int at = position + RecordBatch.BASE_OFFSET_AT;
    long right = expected;
    return Optional.of(
        RepairStep.of(
            Kind.MEND_HEADER,
            log,
            "mend the header of the batch at byte %d, whose records are whole: baseOffset %d becomes %d, so that the log ends where it was stopped"
                .formatted(position, baseOffset, right),
            quarantine -> {
              quarantine.keep(log, at, at + (long) Long.BYTES);
              try (DiskFile file = target.disk().open(log)) {
                file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, right), at);
                file.sync();
              }
            }));
  }

  private void visit(int at, RecordBatch header) {
    expected = nextOffset;
    position = at;
    baseOffset = header.baseOffset();
    nextOffset = header.nextOffset();
  }
}
