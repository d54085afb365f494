package io.tidelog.store;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.disk.DiskLock;
import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.DiskCall.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;

/** A disk that tells a test of each call that reads or changes something, before it happens. */
public final class WatchedDisk implements Disk {
  private final Disk disk;
  private volatile Watcher watcher = (call, bytes) -> {};

  /** Hears of calls; what it throws is what the call throws. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * Called before each disk call.
     *
     * @param bytes that are asked for or written; 0 for calls without
     */
    void before(DiskCall call, long bytes) throws IOException;
  }

  public WatchedDisk(Disk disk) {
    this.disk = disk;
  }

  public void watch(Watcher next) {
    watcher = next;
  }

  private void tell(Kind kind, Path path, long bytes) throws IOException {
    watcher.before(new DiskCall(kind, path), bytes);
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    tell(Kind.LIST, directory, 0);
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
    tell(Kind.SIZE, file, 0);
    return disk.sizeBytes(file);
  }

  @Override
  public long modifiedMs(Path file) throws IOException {
    tell(Kind.MODIFIED, file, 0);
    return disk.modifiedMs(file);
  }

  @Override
  public void setModifiedMs(Path file, long timeMs) throws IOException {
    tell(Kind.SET_MODIFIED, file, 0);
    disk.setModifiedMs(file, timeMs);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    tell(Kind.CREATE_DIRECTORIES, directory, 0);
    disk.createDirectories(directory);
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    tell(Kind.CREATE, file, 0);
    return new WatchedFile(disk.create(file));
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    tell(Kind.OPEN, file, 0);
    return new WatchedFile(disk.open(file));
  }

  @Override
  public DiskFile openReadOnly(Path file) throws IOException {
    tell(Kind.OPEN, file, 0);
    return new WatchedFile(disk.openReadOnly(file));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    tell(Kind.RENAME, from, 0);
    disk.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    tell(Kind.DELETE, path, 0);
    disk.delete(path);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    tell(Kind.SYNC_DIRECTORY, directory, 0);
    disk.syncDirectory(directory);
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    tell(Kind.LOCK, file, 0);
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

  private final class WatchedFile implements DiskFile {
    private final DiskFile file;

    WatchedFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public long sizeBytes() throws IOException {
      return file.sizeBytes();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      tell(Kind.READ, path(), target.remaining());
      return file.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      tell(Kind.WRITE, path(), source.remaining());
      file.write(source, position);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target)
        throws IOException {
      tell(Kind.TRANSFER, path(), count);
      return file.transferTo(position, count, target);
    }

    @Override
    public ByteBuffer map(long position, long sizeBytes) throws IOException {
      tell(Kind.MAP, path(), sizeBytes);
      return file.map(position, sizeBytes);
    }

    @Override
    public void truncate(long sizeBytes) throws IOException {
      tell(Kind.TRUNCATE, path(), sizeBytes);
      file.truncate(sizeBytes);
    }

    @Override
    public void sync() throws IOException {
      tell(Kind.SYNC, path(), 0);
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
