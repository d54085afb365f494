package io.tidelog.recovery;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Keeps a copy of what recovery cuts: {@code <base offset>.log.<position>.cut} in the partition's
 * folder. A torn last batch, as a crash leaves it, needs none, so an ordinary recovery leaves no
 * such file.
 */
final class CutCopy {
  private static final String SUFFIX = ".cut";
  private static final int PIECE_BYTES = 1 << 16;

  private final Disk disk;

  CutCopy(Disk disk) {
    this.disk = disk;
  }

  /** Copies what follows a position, if a sound batch begins somewhere in it. */
  Optional<Path> ofTail(Segment segment, int from) throws IOException {
    try (DiskFile log = disk.openReadOnly(segment.path(SegmentFiles.LOG))) {
      if (!SoundBatches.isAnyIn(log, from, segment.sizeBytes())) {
        return Optional.empty();
      }
      return Optional.of(copy(segment, log, from));
    }
  }

  /** Copies what follows a position. */
  Path of(Segment segment, int from) throws IOException {
    try (DiskFile log = disk.openReadOnly(segment.path(SegmentFiles.LOG))) {
      return copy(segment, log, from);
    }
  }

  /**
   * Whether what follows a position is what a crash leaves of the last append: the beginning of a
   * batch, and no whole one whose length alone is wrong; or zeros.
   */
  boolean isTornAppend(Segment segment, int from) throws IOException {
    try (DiskFile log = disk.openReadOnly(segment.path(SegmentFiles.LOG))) {
      int bytes = segment.sizeBytes() - from;
      if (bytes < RecordBatch.HEADER_BYTES) {
        return true;
      }
      ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
      log.read(header, from);
      RecordBatch torn = RecordBatch.at(header.flip(), 0);
      boolean isCut =
          torn.magic() == RecordBatch.MAGIC
              && torn.batchLength() > bytes - RecordBatch.LOG_OVERHEAD_BYTES
              && torn.crc() != crcOf(log, from + RecordBatch.ATTRIBUTES_AT);
      return isCut || isZeroFrom(log, from);
    }
  }

  private static long crcOf(DiskFile log, int from) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (int at = from; log.read(piece.clear(), at) > 0; at += piece.limit()) {
      crc.update(piece.flip());
    }
    return crc.getValue();
  }

  private static boolean isZeroFrom(DiskFile log, int from) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (int at = from; log.read(piece.clear(), at) > 0; at += piece.limit()) {
      piece.flip();
      for (int i = 0; i < piece.limit(); i++) {
        if (piece.get(i) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Copies the logs of segments that are not empty. */
  List<Path> ofSegments(List<Segment> segments) throws IOException {
    List<Path> copies = new ArrayList<>();
    for (Segment segment : segments) {
      ofTail(segment, 0).ifPresent(copies::add);
    }
    return copies;
  }

  /** Gives the logs of segments that are not empty the name of such a copy. */
  List<Path> insteadOf(List<Segment> segments) throws IOException {
    List<Path> kept = new ArrayList<>();
    for (Segment segment : segments) {
      if (holdsSoundBatch(segment)) {
        Path to = freePath(segment, 0);
        disk.rename(segment.path(SegmentFiles.LOG), to);
        kept.add(to);
      }
    }
    return kept;
  }

  private boolean holdsSoundBatch(Segment segment) throws IOException {
    try (DiskFile log = disk.openReadOnly(segment.path(SegmentFiles.LOG))) {
      return SoundBatches.isAnyIn(log, 0, segment.sizeBytes());
    }
  }

  private Path freePath(Segment segment, int from) throws IOException {
    Path path = segment.path(SegmentFiles.LOG + "." + from + SUFFIX);
    if (disk.exists(path)) {
      disk.delete(path);
    }
    return path;
  }

  private Path copy(Segment segment, DiskFile log, int from) throws IOException {
    Path to = freePath(segment, from);
    try (DiskFile copy = disk.create(to)) {
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      for (int at = from; log.read(piece.clear(), at) > 0; at += piece.limit()) {
        copy.write(piece.flip(), at - (long) from);
      }
      copy.sync();
    }
    disk.syncDirectory(to.getParent());
    return to;
  }
}
