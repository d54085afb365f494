package io.tidelog.broker;

import io.tidelog.disk.DiskFile;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * One damage to one file.
 *
 * @param how it is damaged
 * @param file which one
 * @param at the byte that is changed, or the length that is left
 * @param stop what the directory says of the last stop
 */
record SweepCase(How how, Path file, int at, Stop stop) {

  /** What is done to the file. */
  enum How {
    FLIP,
    CUT,
    DELETE,
    ZERO,
    APPEND_ENTRY
  }

  /** Whether the clean-shutdown marker is there. */
  enum Stop {
    CLEAN,
    UNCLEAN
  }

  void doTo(SimDisk disk) throws IOException {
    switch (how) {
      case FLIP -> change(disk, 1);
      case CUT -> {
        try (DiskFile opened = disk.open(file)) {
          opened.truncate(at);
        }
      }
      case DELETE -> disk.delete(file);
      case ZERO -> write(disk, ByteBuffer.allocate((int) disk.sizeBytes(file)), 0);
      case APPEND_ENTRY ->
          write(
              disk,
              ByteBuffer.allocate(8).putInt(1_000).putInt(1_000_000).flip(),
              disk.sizeBytes(file));
    }
    if (stop == Stop.UNCLEAN && disk.exists(SweptDirectory.MARKER)) {
      disk.delete(SweptDirectory.MARKER);
    }
  }

  private void change(SimDisk disk, int bits) throws IOException {
    try (DiskFile opened = disk.open(file)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      opened.read(one, at);
      one.put(0, (byte) (one.get(0) ^ (bits << (at % 8)))).flip();
      opened.write(one.rewind().limit(1), at);
    }
  }

  private void write(SimDisk disk, ByteBuffer bytes, long position) throws IOException {
    try (DiskFile opened = disk.open(file)) {
      opened.write(bytes, position);
    }
  }

  /** The kind of file: what its name ends with. */
  static String kind(Path file) {
    String name = file.getFileName().toString();
    String folder = file.getParent().getFileName().toString();
    String owner = folder.startsWith("__cluster_metadata") ? "metadata " : "";
    int dot = name.lastIndexOf('.');
    return owner + (dot > 0 && Character.isDigit(name.charAt(0)) ? name.substring(dot) : name);
  }

  String topic() {
    String folder = file.getParent().getFileName().toString();
    int dash = folder.lastIndexOf('-');
    return dash < 0 ? "" : folder.substring(0, dash);
  }

  @Override
  public String toString() {
    return "%s %s at %d, %s stop".formatted(how, SweptDirectory.DATA.relativize(file), at, stop);
  }
}
