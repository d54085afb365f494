package io.tidelog.repair;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.disk.DiskLock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk as the holder of a lock sees it, to whom that lock is free. So a check finds a directory
 * that nobody uses, while no broker can begin to use it.
 */
final class LockHolderDisk implements Disk {
  private final Disk disk;
  private final Path held;

  /**
   * @param held the file whose lock the caller holds
   */
  LockHolderDisk(Disk disk, Path held) {
    this.disk = disk;
    this.held = held;
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    return file.equals(held) ? () -> {} : disk.lock(file);
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public boolean exists(Path path) {
    return disk.exists(path);
  }

  @Override
  public boolean isDirectory(Path path) {
    return disk.isDirectory(path);
  }

  @Override
  public long sizeBytes(Path file) throws IOException {
    return disk.sizeBytes(file);
  }

  @Override
  public long modifiedMs(Path file) throws IOException {
    return disk.modifiedMs(file);
  }

  @Override
  public void setModifiedMs(Path file, long timeMs) throws IOException {
    disk.setModifiedMs(file, timeMs);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    disk.createDirectories(directory);
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    return disk.create(file);
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return disk.open(file);
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return disk.openReadOnly(file);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    disk.syncDirectory(directory);
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    return disk.usableBytes(path);
  }

  @Override
  public long totalBytes(Path path) throws IOException {
    return disk.totalBytes(path);
  }
}
