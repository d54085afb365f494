package io.tidelog.compaction;

import io.tidelog.log.LogChangedException;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.Closeable;
import java.io.IOException;

/** A segment that is held open while its batches are read, each of which must be sound. */
final class OpenSegment implements Closeable {
  private final Segment segment;
  private final BatchWalk walk;
  private RecordBatch batch;

  private OpenSegment(Segment segment, BatchWalk walk) {
    this.segment = segment;
    this.walk = walk;
  }

  /** Before the batch that holds an offset. */
  static OpenSegment at(Segment segment, long offset) throws IOException {
    if (!segment.pin()) {
      throw gone(segment);
    }
    try {
      return new OpenSegment(segment, segment.walkFrom(offset, segment.sizeBytes()));
    } catch (IOException e) {
      segment.unpin();
      throw segment.isRetired() ? gone(segment) : e;
    }
  }

  private static LogChangedException gone(Segment segment) {
    return new LogChangedException(segment + " went out of service");
  }

  /**
   * Goes to the next batch; false at the end.
   *
   * @throws CorruptLogException if it is damaged
   */
  boolean next() throws IOException {
    try {
      boolean isThere = walk.next();
      batch = isThere ? walk.soundBatch() : null;
      return isThere;
    } catch (IOException e) {
      throw segment.isRetired() ? gone(segment) : e;
    }
  }

  /** As {@link #next}, for a look at the header alone. */
  boolean nextHeader() throws IOException {
    boolean isThere = walk.next();
    batch = isThere ? walk.batch() : null;
    return isThere;
  }

  /** The batch at hand, until the next one. */
  RecordBatch batch() {
    return batch;
  }

  /** What a malformed record in the batch at hand is, though the CRC says that it was sent so. */
  CorruptLogException damaged(InvalidBatchException why) {
    return new CorruptLogException(
        segment.path(SegmentFiles.LOG), walk.position(), why.getMessage());
  }

  @Override
  public void close() throws IOException {
    segment.unpin();
  }
}
