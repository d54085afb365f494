package io.tidelog.store;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/** Harm to a file of which the log is the truth. */
enum FileHarm {
  FLIP {
    @Override
    void to(Disk disk, Path file) throws IOException {
      int sizeBytes = (int) disk.sizeBytes(file);
      if (sizeBytes > 0) {
        new Damage(disk).invert(file, sizeBytes / 2);
      }
    }
  },
  CUT {
    @Override
    void to(Disk disk, Path file) throws IOException {
      new Damage(disk).cut(file, disk.sizeBytes(file) / 2);
    }
  },
  ZERO {
    @Override
    void to(Disk disk, Path file) throws IOException {
      new Damage(disk).write(file, 0, new byte[(int) disk.sizeBytes(file)]);
    }
  },
  REMOVE {
    @Override
    void to(Disk disk, Path file) throws IOException {
      disk.delete(file);
    }
  };

  abstract void to(Disk disk, Path file) throws IOException;
}
