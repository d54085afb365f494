package io.tidelog.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A disk for who only looks: whoever tries to change something meets an exception. */
public final class ReadOnlyDisk implements Disk {
  private final Disk disk;

  public ReadOnlyDisk(Disk disk) {
    this.disk = disk;
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
  public void setModifiedMs(Path file, long timeMs) {
    throw refusal(file);
  }

  @Override
  public void createDirectories(Path directory) {
    throw refusal(directory);
  }

  @Override
  public DiskFile create(Path file) {
    throw refusal(file);
  }

  @Override
  public DiskFile open(Path file) {
    throw refusal(file);
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    return disk.openReadOnly(file);
  }

  @Override
  public void rename(Path from, Path to) {
    throw refusal(from);
  }

  @Override
  public void delete(Path path) {
    throw refusal(path);
  }

  @Override
  public void syncDirectory(Path directory) {
    throw refusal(directory);
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    return disk.lock(file);
  }

  @Override
  public long usableBytes(Path path) throws IOException {
    return disk.usableBytes(path);
  }

  @Override
  public long totalBytes(Path path) throws IOException {
    return disk.totalBytes(path);
  }

  private static IllegalStateException refusal(Path path) {
    return new IllegalStateException(path + " was to be changed, but this is only a look at it");
  }
}
