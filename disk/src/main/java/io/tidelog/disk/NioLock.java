package io.tidelog.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock on a file against other processes and against this one. The file stays after {@link
 * #close}.
 *
 * <p>POSIX drops a process's locks on a file when the process closes <em>any</em> descriptor of it.
 * A second attempt in this process must therefore not even open the file: the set of held files,
 * which is the process's and not a disk's, is asked first.
 */
final class NioLock implements DiskLock {
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path key;
  private final FileChannel channel;

  private NioLock(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  static NioLock take(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path key = absolute.getParent().toRealPath().resolve(absolute.getFileName());
    if (!HELD.add(key)) {
      throw new DiskLockedException(file);
    }
    FileChannel channel = null;
    FileLock lock = null;
    try {
      channel = FileChannel.open(key, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = channel.tryLock();
      if (lock == null) {
        throw new DiskLockedException(file);
      }
      return new NioLock(key, channel);
    } catch (OverlappingFileLockException e) {
      throw new DiskLockedException(file);
    } finally {
      if (lock == null) {
        release(key, channel);
      }
    }
  }

  private static void release(Path key, FileChannel channel) throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      HELD.remove(key);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      release(key, channel);
    }
  }
}
