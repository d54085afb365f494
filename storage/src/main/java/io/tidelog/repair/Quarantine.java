package io.tidelog.repair;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The folder that keeps what a repair takes away: one folder for each run, numbered from 1, and in
 * it the names of the directory. A file of which a part is taken has the bytes in its name: {@code
 * <file>.<from>-<to>}. What lies there is durable before the original is changed.
 */
public final class Quarantine {
  private final Disk disk;
  private final Path directory;
  private final Path run;

  private Quarantine(Disk disk, Path directory, Path run) {
    this.disk = disk;
    this.directory = directory;
    this.run = run;
  }

  /**
   * The folder of the next run. Nothing is made before something is to be kept.
   *
   * @param directory what is repaired
   * @param folder where the runs' folders lie; outside of every data directory
   */
  static Quarantine next(Disk disk, Path directory, Path folder) throws IOException {
    int number = 1;
    while (disk.exists(folder.resolve(Integer.toString(number)))) {
      number++;
    }
    return new Quarantine(disk, directory, folder.resolve(Integer.toString(number)));
  }

  /** Keeps a copy of a file; no effect if there is no such file. */
  void keep(Path file) throws IOException {
    if (disk.exists(file) && disk.sizeBytes(file) > 0) {
      copy(file, 0, disk.sizeBytes(file), place(file, ""));
    }
  }

  /** Keeps a copy of bytes of a file. */
  void keep(Path file, long from, long to) throws IOException {
    if (from < to) {
      copy(file, from, to, place(file, "." + from + "-" + to));
    }
  }

  private Path place(Path file, String suffix) throws IOException {
    Path relative = directory.relativize(file);
    Path to = run.resolve(relative.resolveSibling(relative.getFileName() + suffix));
    disk.createDirectories(to.getParent());
    Path above = run.getParent().getParent();
    for (Path made = to.getParent(); made != null; made = made.getParent()) {
      disk.syncDirectory(made);
      if (made.equals(above)) {
        break;
      }
    }
    return to;
  }

  private void copy(Path file, long from, long to, Path target) throws IOException {
    if (disk.exists(target)) {
      return; // kept already: the first copy is the one of before the repair
    }
    try (DiskFile source = disk.openReadOnly(file);
        DiskFile copy = disk.create(target)) {
      new ByteCopy(source, copy).of(from, to);
      copy.sync();
    }
    disk.syncDirectory(target.getParent());
  }
}
