package io.tidelog.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * An open file with positional access only: it has no cursor, so readers need no lock.
 *
 * <p>A closed file throws a {@link java.nio.channels.ClosedChannelException}, one that was opened
 * for reading a {@link java.nio.channels.NonWritableChannelException} when it is to be changed. An
 * interrupt neither closes a file nor cuts a read or write short.
 */
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

  /**
   * Writes all remaining bytes of the buffer at this position, growing the file if needed. If it
   * fails, some of them may be there.
   *
   * @throws DiskFullException if the file system has no room
   */
  void write(ByteBuffer source, long position) throws IOException;

  /**
   * Sends bytes to a channel without a copy through the heap where the system can.
   *
   * @return how many bytes the channel took; less than {@code count} if it is full or the file ends
   */
  long transferTo(long position, long count, WritableByteChannel target) throws IOException;

  /**
   * Maps a range that lies within the file, for reading. The map shows later writes to the range
   * and stays valid after close; the range must not be cut off while it is read.
   */
  ByteBuffer map(long position, long sizeBytes) throws IOException;

  /** Cuts the file to this length; no effect if it is shorter. */
  void truncate(long sizeBytes) throws IOException;

  /**
   * Makes contents and length durable. If it fails, what was written since the last sync is in
   * doubt for good: a later sync that returns says nothing about it.
   */
  void sync() throws IOException;
}
