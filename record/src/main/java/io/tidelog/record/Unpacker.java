package io.tidelog.record;

import java.nio.ByteBuffer;

/**
 * Unpacks the records of one batch after another, as a stream, so that memory does not depend on
 * what the packed bytes claim. Used by one thread.
 */
public interface Unpacker {

  /**
   * Begins with the bytes between position and limit of a buffer of any kind, whose position stays
   * where it is. They must not change until the stream is read.
   *
   * @throws InvalidBatchException (INVALID_RECORD) if the bytes do not start as this codec's data
   *     do
   */
  void open(ByteBuffer packed);

  /**
   * Fills the room of a direct buffer with unpacked bytes. Room is left only if the data ended.
   *
   * @throws InvalidBatchException (INVALID_RECORD) if the packed bytes are damaged or cut
   */
  void read(ByteBuffer target);
}
