package io.tidelog.log;

import io.tidelog.producer.ProducerStates;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.List;

/**
 * Brings producer state from its snapshot up to the end of a log, by the headers of the batches in
 * between.
 */
public final class ProducerReplay {
  private ProducerReplay() {}

  /**
   * Shows the producer states every batch from where they stand.
   *
   * @param segments of the log, by rising base offset
   * @param end the log end offset
   */
  public static void replay(ProducerStates producers, List<Segment> segments, long end)
      throws IOException {
    long from = producers.mapEnd();
    for (int i = 0; i < segments.size(); i++) {
      long next = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : end;
      if (next > from) {
        Segment segment = segments.get(i);
        BatchWalk walk =
            segment.walkFrom(Math.max(from, segment.baseOffset()), segment.sizeBytes());
        while (walk.next()) {
          producers.replay(walk.batch());
        }
      }
    }
    producers.mapEndIs(end);
  }
}
