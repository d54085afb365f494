package io.tidelog.store;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Harm done to files while nobody has them open. */
public final class Damage {
  private final Disk disk;

  public Damage(Disk disk) {
    this.disk = disk;
  }

  /** All bytes of a file. */
  public byte[] bytes(Path path) throws IOException {
    try (DiskFile file = disk.openReadOnly(path)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(bytes, 0);
      return bytes.array();
    }
  }

  /** Cuts a file to this length. */
  public void cut(Path path, long sizeBytes) throws IOException {
    try (DiskFile file = disk.open(path)) {
      file.truncate(sizeBytes);
    }
  }

  /** Replaces bytes, or adds them if they begin at the end. */
  public void write(Path path, long at, byte... bytes) throws IOException {
    try (DiskFile file = disk.open(path)) {
      file.write(ByteBuffer.wrap(bytes), at);
    }
  }

  /** Adds bytes at the end. */
  public void append(Path path, byte... bytes) throws IOException {
    write(path, disk.sizeBytes(path), bytes);
  }

  /** Inverts all bits of one byte. */
  public void invert(Path path, int at) throws IOException {
    write(path, at, (byte) ~bytes(path)[at]);
  }

  /** Takes away what says that the last stop was clean, and what was durable then. */
  public void forgetCleanStop(Path dataDirectory) throws IOException {
    disk.delete(dataDirectory.resolve(".kafka_cleanshutdown"));
    disk.delete(dataDirectory.resolve("recovery-point-offset-checkpoint"));
  }
}
