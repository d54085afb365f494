package io.tidelog.protocol;

import java.nio.ByteBuffer;

/** Where the bytes of an answer go, part by part, in the order in which they leave. */
public interface AnswerSink {

  /**
   * A big-endian buffer that takes the next {@code sizeBytes} bytes, put at its position. Once for
   * each answer.
   */
  ByteBuffer reserve(int sizeBytes);

  /** What was put so far is followed by these bytes. They must stay as they are until sent. */
  void append(ByteBuffer bytes);

  /**
   * What was put so far is followed by this slice, which is the sink's from now on.
   *
   * @return by how many bytes the buffer's position has moved: all of the slice if the sink has put
   *     a copy there, else 0
   */
  int append(SliceRecords slice);
}
