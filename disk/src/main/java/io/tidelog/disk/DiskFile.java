package io.tidelog.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open file with positional access only: it has no cursor, so readers need no lock. */
public interface DiskFile extends Closeable {

  /** The name under which the file was opened; it may have been renamed since. */
  Path path();

  /** Length in bytes. */
  long sizeBytes() throws IOException;

  /**
   * Reads until the buffer is full or the file ends.
   *
   * @return how many bytes were read; 0 at or past the end
   */
  int read(ByteBuffer target, long position) throws IOException;

  /** Writes all remaining bytes of the buffer at this position, growing the file if needed. */
  void write(ByteBuffer source, long position) throws IOException;

  /**
   * Sends bytes to a channel without a copy through the heap where the system can.
   *
   * @return how many bytes the channel took; less than {@code count} if it is full or the file ends
   */
  long transferTo(long position, long count, WritableByteChannel target) throws IOException;

  /** Maps a range that lies within the file, for reading. The map stays valid after close. */
  ByteBuffer map(long position, long sizeBytes) throws IOException;

  /** Cuts the file to this length; no effect if it is shorter. */
  void truncate(long sizeBytes) throws IOException;

  /** Makes contents and length durable. */
  void sync() throws IOException;
}
