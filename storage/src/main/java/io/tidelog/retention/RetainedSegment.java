package io.tidelog.retention;

import io.tidelog.segment.Segment;
import java.io.IOException;

/**
 * What retention looks at in a segment: one that is open, or files of which nobody is in charge.
 */
public interface RetainedSegment {

  long baseOffset();

  /** Bytes of its log. */
  long sizeBytes();

  /** Largest timestamp of its records, ms; negative if it has none. */
  long maxTimestampMs() throws IOException;

  /** When its log was last written, ms. */
  long modifiedMs() throws IOException;

  /** A segment that is open. */
  static RetainedSegment of(Segment segment) {
    return new OpenSegment(segment);
  }

  /** Asks an open segment. */
  record OpenSegment(Segment segment) implements RetainedSegment {
    @Override
    public long baseOffset() {
      return segment.baseOffset();
    }

    @Override
    public long sizeBytes() {
      return segment.sizeBytes();
    }

    @Override
    public long maxTimestampMs() throws IOException {
      return segment.maxTimestamp();
    }

    @Override
    public long modifiedMs() throws IOException {
      return segment.modifiedMs();
    }
  }
}
