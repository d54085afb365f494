package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that is opened when it is first needed and closed when nobody holds it any more. The owner
 * has the first hold. Any number of threads.
 */
final class PinnedFile {
  private final Disk disk;
  private final Path path;
  private final AtomicInteger pins = new AtomicInteger(1);
  private volatile DiskFile file;

  PinnedFile(Disk disk, Path path) {
    this.disk = disk;
    this.path = path;
  }

  /**
   * Creates the file. It must not exist, unless it is empty: so a roll that failed half-way may
   * leave it, and no view ever showed it.
   */
  void create() throws IOException {
    if (disk.exists(path) && disk.sizeBytes(path) == 0) {
      disk.delete(path);
    }
    file = disk.create(path);
  }

  /** The open file; the caller has a hold. */
  DiskFile get() throws IOException {
    DiskFile open = file;
    return open != null ? open : open();
  }

  private synchronized DiskFile open() throws IOException {
    if (file == null) {
      file = disk.open(path);
    }
    return file;
  }

  /**
   * Takes a hold, and opens the file.
   *
   * @return false if nobody had one: the file is closed for good
   */
  boolean pin() throws IOException {
    for (int now = pins.get(); now > 0; now = pins.get()) {
      if (pins.compareAndSet(now, now + 1)) {
        try {
          get();
          return true;
        } catch (IOException e) {
          unpin();
          throw e;
        }
      }
    }
    return false;
  }

  /** Gives up one hold; the last one closes the file. */
  void unpin() throws IOException {
    if (pins.decrementAndGet() == 0) {
      close();
    }
  }

  private synchronized void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
