package io.tidelog.store;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/** Harm to an index, of which the log is the truth. */
enum IndexHarm {
  FLIP {
    @Override
    void to(Disk disk, Path index) throws IOException {
      int sizeBytes = (int) disk.sizeBytes(index);
      if (sizeBytes > 0) {
        new Damage(disk).invert(index, sizeBytes / 2);
      }
    }
  },
  CUT {
    @Override
    void to(Disk disk, Path index) throws IOException {
      new Damage(disk).cut(index, disk.sizeBytes(index) / 2);
    }
  },
  ZERO {
    @Override
    void to(Disk disk, Path index) throws IOException {
      new Damage(disk).write(index, 0, new byte[(int) disk.sizeBytes(index)]);
    }
  },
  REMOVE {
    @Override
    void to(Disk disk, Path index) throws IOException {
      disk.delete(index);
    }
  };

  abstract void to(Disk disk, Path index) throws IOException;
}
