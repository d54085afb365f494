package io.tidelog.compaction;

import io.tidelog.segment.Segment;
import java.io.IOException;

/**
 * What {@link CompactionPlan} looks at in a segment: one that is open, or files of which nobody is
 * in charge.
 */
public interface CompactedSegment {

  long baseOffset();

  /** Bytes of its log. */
  long sizeBytes();

  /** Largest timestamp of its first batch, ms; negative if it has none. */
  long firstTimestampMs() throws IOException;

  /** Largest timestamp of its records, ms; negative if it has none. */
  long maxTimestampMs() throws IOException;

  /** A segment that is open. */
  static CompactedSegment of(Segment segment) {
    return new InService(segment);
  }

  /** Asks an open segment. */
  record InService(Segment segment) implements CompactedSegment {
    @Override
    public long baseOffset() {
      return segment.baseOffset();
    }

    @Override
    public long sizeBytes() {
      return segment.sizeBytes();
    }

    @Override
    public long firstTimestampMs() throws IOException {
      return segment.firstTimestamp();
    }

    @Override
    public long maxTimestampMs() throws IOException {
      return segment.maxTimestamp();
    }
  }
}
