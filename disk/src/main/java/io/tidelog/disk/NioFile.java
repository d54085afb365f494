package io.tidelog.disk;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;

/**
 * A {@link FileChannel} that survives interrupts. The JDK closes a channel for everybody when one
 * thread that uses it is interrupted, which would let the caller of an embedded store take a
 * segment away from all others. So:
 *
 * <ul>
 *   <li>An interrupt that is already pending is held back during a call and set again after it.
 *   <li>If one arrives during a call and closes the channel, the file is opened again and the call
 *       repeated; positional reads and writes can be repeated safely.
 *   <li>Two calls are not repeated, they throw, though the file stays usable: {@link #sync},
 *       because an error that the first attempt met is not reported again, and {@link #transferTo},
 *       because the target may have taken bytes.
 *   <li>A file that was renamed or deleted since it was opened cannot be opened again. It then
 *       fails with the {@link ClosedChannelException}.
 * </ul>
 *
 * A heap buffer goes through in pieces, because the JDK keeps a direct buffer of the largest size
 * per thread.
 */
final class NioFile implements DiskFile {
  private static final int HEAP_PIECE_BYTES = 256 * 1024;

  private final Path path;
  private final OpenOption[] options;
  private final Object fileKey;
  private volatile FileChannel channel;
  private volatile boolean closed;

  private NioFile(Path path, OpenOption[] options, FileChannel channel, Object fileKey) {
    this.path = path;
    this.options = options;
    this.channel = channel;
    this.fileKey = fileKey;
  }

  static NioFile create(Path path) throws IOException {
    return wrap(
        path,
        FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, READ, WRITE)),
        READ,
        WRITE);
  }

  static NioFile open(Path path, OpenOption... options) throws IOException {
    try {
      return wrap(path, FileChannel.open(path, options), options);
    } catch (FileSystemException e) {
      throw Files.isDirectory(path) ? NotAFileException.directory(path) : e;
    }
  }

  /** Opens a directory, whose names can be synced. */
  static NioFile openDirectory(Path path) throws IOException {
    return new NioFile(
        path, new OpenOption[] {READ}, FileChannel.open(path, READ), attributes(path).fileKey());
  }

  private static NioFile wrap(Path path, FileChannel channel, OpenOption... options)
      throws IOException {
    try {
      BasicFileAttributes found = attributes(path);
      if (found.isDirectory()) { // which Linux opens, and fails the first read without a name
        throw NotAFileException.directory(path);
      }
      return new NioFile(path, options, channel, found.fileKey());
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static Object fileKey(Path path) throws IOException {
    return attributes(path).fileKey();
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class);
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long sizeBytes() throws IOException {
    return repeatable((file, unused, position) -> file.size(), null, 0);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return (int) repeatable(NioFile::readFully, target, position);
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    try {
      repeatable(NioFile::writeFully, source, position);
    } catch (IOException e) {
      throw Explained.orSame(path, e);
    }
  }

  @Override
  public void truncate(long sizeBytes) throws IOException {
    repeatable((file, unused, size) -> file.truncate(size).size(), null, sizeBytes);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return once((file, unused, at) -> file.transferTo(at, count, target), null, position);
  }

  @Override
  public void sync() throws IOException {
    try {
      once(NioFile::force, null, 0);
    } catch (IOException e) {
      throw Explained.orSame(path, e);
    }
  }

  @Override
  public ByteBuffer map(long position, long sizeBytes) throws IOException {
    if (position + sizeBytes > sizeBytes()) {
      throw new IOException(
          "%s has %d bytes, a map of %d bytes at %d would pass its end"
              .formatted(path, sizeBytes(), sizeBytes, position));
    }
    ByteBuffer[] mapped = new ByteBuffer[1];
    repeatable(
        (file, unused, at) -> {
          mapped[0] = file.map(FileChannel.MapMode.READ_ONLY, at, sizeBytes);
          return sizeBytes;
        },
        null,
        position);
    return mapped[0];
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }

  /** One call on the channel; without captured state, so that reads and writes allocate nothing. */
  private interface Call {
    long on(FileChannel file, ByteBuffer buffer, long position) throws IOException;
  }

  private long repeatable(Call call, ByteBuffer buffer, long position) throws IOException {
    int start = buffer == null ? 0 : buffer.position();
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel used = channel;
        try {
          return call.on(used, buffer, position);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(used, e);
          if (buffer != null) {
            buffer.position(start);
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private long once(Call call, ByteBuffer buffer, long position) throws IOException {
    boolean interrupted = Thread.interrupted();
    FileChannel used = channel;
    try {
      return call.on(used, buffer, position);
    } catch (ClosedChannelException e) {
      interrupted |= Thread.interrupted();
      reopen(used, e);
      throw e;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(FileChannel failed, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel != failed) {
      return;
    }
    if (failed.isOpen() || !Files.exists(path) || !Objects.equals(fileKey, fileKey(path))) {
      throw cause;
    }
    channel = FileChannel.open(path, options);
  }

  private static long readFully(FileChannel file, ByteBuffer target, long position)
      throws IOException {
    int start = target.position();
    int end = target.limit();
    try {
      while (target.position() < end) {
        target.limit(pieceEnd(target, end));
        if (file.read(target, position + target.position() - start) < 0) {
          break;
        }
      }
    } finally {
      target.limit(end);
    }
    return (long) target.position() - start;
  }

  private static long writeFully(FileChannel file, ByteBuffer source, long position)
      throws IOException {
    int start = source.position();
    int end = source.limit();
    try {
      while (source.position() < end) {
        source.limit(pieceEnd(source, end));
        file.write(source, position + source.position() - start);
      }
    } finally {
      source.limit(end);
    }
    return (long) source.position() - start;
  }

  private static int pieceEnd(ByteBuffer buffer, int end) {
    return buffer.isDirect() ? end : Math.min(end, buffer.position() + HEAP_PIECE_BYTES);
  }

  private static long force(FileChannel file, ByteBuffer unused, long position) throws IOException {
    file.force(true);
    return 0;
  }
}
