package io.tidelog.disk;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * The real disk. Paths are those of the default file system; symbolic links are followed.
 *
 * <p>Interrupts: an interrupt must not harm a file that other threads use, see {@link NioFile}.
 *
 * <p>Windows cannot open a directory, so {@link #syncDirectory} does nothing there: the file
 * system's own journal keeps the order of names.
 */
public final class NioDisk implements Disk {
  private static final boolean WINDOWS = File.separatorChar == '\\';

  @Override
  public List<String> list(Path directory) throws IOException {
    return Explained.call(
        directory,
        () -> {
          try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
          }
        });
  }

  @Override
  public boolean exists(Path path) {
    return Files.exists(path);
  }

  @Override
  public boolean isDirectory(Path path) {
    return Files.isDirectory(path);
  }

  @Override
  public long sizeBytes(Path file) throws IOException {
    return Explained.call(file, () -> Files.size(file));
  }

  @Override
  public long modifiedMs(Path file) throws IOException {
    return Explained.call(file, () -> Files.getLastModifiedTime(file).toMillis());
  }

  @Override
  public void setModifiedMs(Path file, long timeMs) throws IOException {
    Explained.call(file, () -> Files.setLastModifiedTime(file, FileTime.fromMillis(timeMs)));
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    Explained.call(directory, () -> Files.createDirectories(directory));
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    return Explained.call(file, () -> NioFile.create(file));
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return Explained.call(
        file, () -> NioFile.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return Explained.call(file, () -> NioFile.open(file, StandardOpenOption.READ));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Explained.call(to, () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
  }

  @Override
  public void delete(Path path) throws IOException {
    Explained.call(
        path,
        () -> {
          Files.delete(path);
          return path;
        });
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    if (WINDOWS) {
      return;
    }
    if (!isDirectory(directory)) {
      throw new NoSuchFileException(
          directory.toString(), null, "there is no such directory to sync");
    }
    try (DiskFile opened = Explained.call(directory, () -> NioFile.openDirectory(directory))) {
      opened.sync();
    }
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    return Explained.call(file, () -> NioLock.take(file));
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    return fileStore(path).getUsableSpace();
  }

  @Override
  public long totalBytes(Path path) throws IOException {
    return fileStore(path).getTotalSpace();
  }

  private static FileStore fileStore(Path path) throws IOException {
    Path existing = path.toAbsolutePath();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    return Files.getFileStore(existing);
  }
}
