package io.tidelog.log;

import io.tidelog.segment.Segment;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;

/**
 * Goes through the closed segments of a log, a piece at a time, so that damage in records that
 * nobody reads is found too: whoever opened the segment hears of it. Each batch is looked at once.
 * For one thread.
 */
public final class ColdCheck {
  private final PartitionLog log;
  private long next;

  public ColdCheck(PartitionLog log) {
    this.log = log;
  }

  /**
   * Checks the next piece.
   *
   * @param maxBytes about how many bytes, at most; one batch may have more
   * @return how many it was, 0 if nothing is left for now
   */
  public int step(int maxBytes) throws IOException {
    LogView view = log.view();
    next = Math.max(next, view.start());
    int index = view.floor(next);
    Segment segment = view.segment(index);
    if (index == view.segmentCount() - 1 || !segment.pin()) {
      return 0;
    }
    try {
      SoundWalk walk = segment.batches().walkFrom(next, view.extent(index));
      int bytes = 0;
      while (bytes < maxBytes) {
        if (!walk.next()) {
          next = view.endOf(index);
          return Math.max(bytes, 1);
        }
        bytes += walk.batch().sizeBytes();
        next = walk.batch().nextOffset();
      }
      return bytes;
    } finally {
      segment.unpin();
    }
  }
}
