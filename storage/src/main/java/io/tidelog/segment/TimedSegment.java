package io.tidelog.segment;

import java.io.IOException;

/**
 * What retention and compaction look at in a segment: one in service, or files of which nobody is
 * in charge.
 */
public interface TimedSegment {

  long baseOffset();

  /** Bytes of its log. */
  int sizeBytes();

  /** Largest timestamp of its first batch, ms; negative if it has none. */
  long firstTimestamp() throws IOException;

  /** Largest timestamp of its records, ms; negative if it has none. */
  long maxTimestamp() throws IOException;

  /** When its log was last written, ms. */
  long modifiedMs() throws IOException;
}
