package io.tidelog.segment;

import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the batches of a segment again, as long as they are sound and in order, and notes them in
 * new indexes. Changes nothing in the log.
 */
final class Rescan {
  private final Path log;
  private final long durableTo;
  private final Consumer<RecordBatch> visitor;
  private long nextOffset;
  private int goodBytes;

  /**
   * @param log for errors
   * @param durableTo batches below this offset were made durable, so only their headers are looked
   *     at
   * @param visitor shown the header of each sound batch
   */
  Rescan(Path log, long durableTo, Consumer<RecordBatch> visitor) {
    this.log = log;
    this.durableTo = durableTo;
    this.visitor = visitor;
  }

  /** Walks on, from the first batch, which has at least this offset. */
  Segment.Recovered of(BatchWalk walk, long baseOffset, SegmentIndexes indexes) throws IOException {
    nextOffset = baseOffset;
    try {
      while (walk.next()) {
        requireInOrder(walk, baseOffset);
        if (walk.batch().lastOffset() >= durableTo) {
          walk.checkCrc();
        }
        indexes.note(walk.batch(), walk.position());
        visitor.accept(walk.batch());
        nextOffset = walk.batch().nextOffset();
        goodBytes = walk.end();
      }
      return new Segment.Recovered(goodBytes, nextOffset, Optional.empty());
    } catch (CorruptLogException damage) {
      return new Segment.Recovered(goodBytes, nextOffset, Optional.of(damage));
    }
  }

  private void requireInOrder(BatchWalk walk, long baseOffset) throws CorruptLogException {
    RecordBatch batch = walk.batch();
    if (batch.baseOffset() < nextOffset
        || batch.lastOffsetDelta() < 0
        || batch.lastOffset() - baseOffset > Integer.MAX_VALUE) {
      throw new CorruptLogException(
          log,
          walk.position(),
          "offsets are %d to %d, expected %d or more"
              .formatted(batch.baseOffset(), batch.lastOffset(), nextOffset));
    }
  }
}
