package io.tidelog.segment;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Indexes that tell of batches behind the end of their log: so it was longer once. They are the
 * only witnesses of what it held, and are kept under other names before new ones are made.
 */
final class LostTail {
  private final long endOffset;
  private final long lastOffset;
  private final List<Path> kept;

  private LostTail(long endOffset, long lastOffset, List<Path> kept) {
    this.endOffset = endOffset;
    this.lastOffset = lastOffset;
    this.kept = kept;
  }

  /**
   * Keeps the indexes if each that has entries tells of such batches; null if there is no sign of
   * any.
   *
   * @param logBytes the size of the log
   * @param endOffset where its sound batches end
   */
  static LostTail keep(Segment.Setting setting, long baseOffset, int logBytes, long endOffset)
      throws IOException {
    Disk disk = setting.disk();
    Path offsetPath = SegmentFiles.path(setting.directory(), baseOffset, SegmentFiles.OFFSET_INDEX);
    Path timePath = SegmentFiles.path(setting.directory(), baseOffset, SegmentFiles.TIME_INDEX);
    long lastOffset = -1;
    try {
      OffsetIndex offsets = OffsetIndex.open(disk, offsetPath, baseOffset);
      TimeIndex times = TimeIndex.open(disk, timePath, baseOffset);
      int last = offsets.entries() - 1;
      int latest = times.entries() - 1;
      if (last >= 0 && offsets.position(last) < logBytes
          || latest >= 0 && times.offset(latest) < endOffset) {
        return null;
      }
      lastOffset = last < 0 ? lastOffset : offsets.offset(last);
      lastOffset = latest < 0 ? lastOffset : Math.max(lastOffset, times.offset(latest));
    } catch (IOException unreadable) {
      return null; // it tells nothing
    }
    return lastOffset < endOffset
        ? null
        : new LostTail(endOffset, lastOffset, aside(disk, List.of(offsetPath, timePath), logBytes));
  }

  private static List<Path> aside(Disk disk, List<Path> indexes, int logBytes) throws IOException {
    List<Path> kept = new ArrayList<>();
    for (Path index : indexes) {
      Path copy = index.resolveSibling(index.getFileName() + "." + logBytes + ".cut");
      disk.rename(index, copy);
      kept.add(copy);
    }
    return kept;
  }

  /** What is missing, and what to do; as a sentence that begins with the log. */
  String tell(Segment log) {
    return ("%s has %d bytes and ends at offset %d, but its indexes tell of records up to offset"
            + " %d: no record from %d to %d can be read. To have them back, stop, and put the"
            + " whole file in its place; the indexes were made again, the old ones are kept in"
            + " %s")
        .formatted(log, log.sizeBytes(), endOffset, lastOffset, endOffset, lastOffset, kept);
  }
}
