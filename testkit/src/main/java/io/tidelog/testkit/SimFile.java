package io.tidelog.testkit;

import io.tidelog.disk.DiskFile;
import io.tidelog.disk.DiskFullException;
import io.tidelog.testkit.DiskCall.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open file on a {@link SimDisk}. */
final class SimFile implements DiskFile {
  private static final int TRANSFER_PIECE_BYTES = 1 << 20;

  /** What a handle was opened for. */
  enum Mode {
    READ_ONLY,
    READ_WRITE
  }

  private final SimDisk disk;
  private final Path path;
  private final SimContents contents;
  private final Mode mode;
  private boolean closed;

  SimFile(SimDisk disk, Path path, SimContents contents, Mode mode) {
    this.disk = disk;
    this.path = path;
    this.contents = contents;
    this.mode = mode;
    disk.opened(this, contents);
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long sizeBytes() throws IOException {
    return disk.call(Kind.SIZE, path, () -> (long) opened().sizeBytes());
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    requireNotNegative(position);
    return disk.call(Kind.READ, path, () -> opened().read(target, position));
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    requireNotNegative(position);
    disk.changeOrElse(
        Kind.WRITE,
        path,
        () -> writeWhatFits(source, position),
        () -> {
          int part = disk.partOf(source.remaining());
          writeWhatFits(source.slice(source.position(), part), position);
        });
  }

  private void writeWhatFits(ByteBuffer source, long position) throws IOException {
    SimContents written = writable();
    if (position + source.remaining() > SimContents.MAX_BYTES) {
      throw new IOException(path + " would pass the 1 GiB that a simulated file can have");
    }
    long growthBytes =
        source.hasRemaining()
            ? Math.max(0, position + source.remaining() - written.sizeBytes())
            : 0;
    long missingBytes = growthBytes - disk.takeSpace(growthBytes);
    int fits = (int) Math.max(0, source.remaining() - missingBytes);
    if (fits == 0 && missingBytes > 0) {
      disk.giveBackSpace(growthBytes - missingBytes);
    }
    written.write(source.slice(source.position(), fits), (int) position, disk.nowMs());
    source.position(source.position() + fits);
    disk.writeBackNowAndThen(written);
    if (missingBytes > 0) {
      throw new DiskFullException(path, null);
    }
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    requireNotNegative(position);
    requireNotNegative(count);
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(count, TRANSFER_PIECE_BYTES));
    disk.call(Kind.TRANSFER, path, () -> opened().read(piece, position));
    return target.write(piece.flip());
  }

  @Override
  public ByteBuffer map(long position, long sizeBytes) throws IOException {
    requireNotNegative(position);
    requireNotNegative(sizeBytes);
    return disk.call(
        Kind.MAP,
        path,
        () -> {
          if (position + sizeBytes > opened().sizeBytes()) {
            throw new IOException(
                "%s has %d bytes, a map of %d bytes at %d would pass its end"
                    .formatted(path, contents.sizeBytes(), sizeBytes, position));
          }
          return contents.map((int) position, (int) sizeBytes);
        });
  }

  @Override
  public void truncate(long sizeBytes) throws IOException {
    requireNotNegative(sizeBytes);
    disk.change(
        Kind.TRUNCATE,
        path,
        () -> {
          long cutBytes = Math.max(0, writable().sizeBytes() - sizeBytes);
          contents.truncate((int) (contents.sizeBytes() - cutBytes), disk.nowMs());
          disk.giveBackSpace(cutBytes);
        });
  }

  @Override
  public void sync() throws IOException {
    disk.changeOrElse(Kind.SYNC, path, () -> opened().sync(), () -> opened().forgetUnsynced());
  }

  @Override
  public void close() {
    synchronized (disk) {
      closed = true;
      disk.closed(this, contents);
    }
  }

  private SimContents opened() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
    return contents;
  }

  private SimContents writable() throws ClosedChannelException {
    if (opened() != null && mode == Mode.READ_ONLY) {
      throw new NonWritableChannelException();
    }
    return contents;
  }

  private static void requireNotNegative(long number) {
    if (number < 0) {
      throw new IllegalArgumentException(number + " is below 0");
    }
  }
}
