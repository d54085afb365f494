package io.tidelog.compaction;

import io.tidelog.log.LogChangedException;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.Extent;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A segment that is held open while its batches are read, each of which must be sound. */
final class OpenSegment implements Closeable {
  private final Segment segment;
  private final SoundWalk walk;
  private final List<DamagedStretch> met;
  private RecordBatch batch;

  private OpenSegment(Segment segment, SoundWalk walk, List<DamagedStretch> met) {
    this.segment = segment;
    this.walk = walk;
    this.met = met;
  }

  /**
   * Before the batch that holds an offset.
   *
   * @param endOffset the offset after the segment's last one
   */
  static OpenSegment at(Segment segment, long offset, long endOffset) throws IOException {
    if (!segment.pin()) {
      throw gone(segment);
    }
    try {
      List<DamagedStretch> met = new ArrayList<>(0);
      Extent extent = new Extent(segment.sizeBytes(), endOffset);
      SoundWalk walk = segment.batches().walkFrom(offset, extent, met::add);
      return new OpenSegment(segment, walk, met);
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
      boolean isThere = advance();
      batch = isThere ? walk.soundBatch() : null;
      return isThere;
    } catch (IOException e) {
      throw segment.isRetired() ? gone(segment) : e;
    }
  }

  /** As {@link #next}, for a look at the header alone. */
  boolean nextHeader() throws IOException {
    boolean isThere = advance();
    batch = isThere ? walk.batch() : null;
    return isThere;
  }

  /** Damage is not passed over: what stands there would be lost for good. */
  private boolean advance() throws IOException {
    boolean isThere = walk.next();
    if (!met.isEmpty()) {
      throw new LostOffsetsException(met.get(0));
    }
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
