package io.tidelog.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Bytes of records that lie in a file and leave from there, or, if they are few, by a copy. Its
 * contents do not change while it is held.
 */
public interface RecordsSlice {

  /** Length in bytes. */
  int sizeBytes();

  /**
   * Sends up to {@code count} bytes from {@code position} within the slice.
   *
   * @return how many bytes the channel took; 0 if it is full
   */
  long transferTo(long position, long count, WritableByteChannel target) throws IOException;

  /**
   * Reads from {@code position} within the slice until the buffer is full or the slice ends.
   *
   * @return how many bytes it read; fewer if the file has lost the rest
   */
  int read(ByteBuffer target, long position) throws IOException;

  /** Lets the file go. Called once. */
  void release();
}
