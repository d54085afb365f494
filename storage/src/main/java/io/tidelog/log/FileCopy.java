package io.tidelog.log;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Copies a file as it is. */
final class FileCopy {
  private FileCopy() {}

  /** The contents are durable when this returns, the name after a sync of the folder. */
  static void copy(Disk disk, Path from, Path to, ByteBuffer buffer) throws IOException {
    try (DiskFile source = disk.openReadOnly(from);
        DiskFile target = create(disk, to)) {
      long position = 0;
      while (source.read(buffer.clear(), position) > 0) {
        int bytes = buffer.position();
        target.write(buffer.flip(), position);
        position += bytes;
      }
      target.sync();
    }
  }

  /** An empty file, in the place of what may be there. */
  static DiskFile create(Disk disk, Path file) throws IOException {
    if (disk.exists(file)) {
      disk.delete(file);
    }
    return disk.create(file);
  }
}
