package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What the two indexes of a segment say together of a batch's offsets, which lie outside of its
 * CRC. Where compaction has left gaps, a wrong base offset may fit between the batches beside it as
 * well as the right one: then nothing else tells. One index alone does not count against the log,
 * for it may be the wrong one.
 */
public final class OffsetWitness {
  /** Knows nothing. */
  public static final OffsetWitness NONE = new OffsetWitness(null, null);

  private final OffsetIndex offsets;
  private final TimeIndex times;

  OffsetWitness(OffsetIndex offsets, TimeIndex times) {
    this.offsets = offsets;
    this.times = times;
  }

  /** The indexes of a segment as they lie there, if they can be read. */
  public static OffsetWitness of(Disk disk, Path folder, long baseOffset) {
    Path offsets = SegmentFiles.path(folder, baseOffset, SegmentFiles.OFFSET_INDEX);
    Path times = SegmentFiles.path(folder, baseOffset, SegmentFiles.TIME_INDEX);
    try {
      return new OffsetWitness(
          OffsetIndex.view(disk, offsets, baseOffset), TimeIndex.view(disk, times, baseOffset));
    } catch (IOException toldByWhoeverReliesOnThem) {
      return NONE;
    }
  }

  /** The last offset of a batch: its own, unless both indexes name another one that is possible. */
  public long lastOffset(DiskFile log, int position, RecordBatch header) throws IOException {
    long own = header.lastOffset();
    long named = lastOffset(position, own, header.maxTimestamp());
    return named == own || named < offsetAt(log, position + header.sizeBytes()) ? named : own;
  }

  /**
   * The last offset of a batch: its own, unless both indexes name another one. That is possible if
   * it lies before the next batch, for before 4.0 Kafka could name the last offset of a later one.
   *
   * @param position where it starts
   * @param own the last offset by its header
   * @param maxTimestamp its largest timestamp
   */
  public long lastOffset(int position, long own, long maxTimestamp) {
    if (offsets == null) {
      return own;
    }
    try {
      int entry = offsets.floorByPosition(position);
      if (entry < 0 || offsets.position(entry) != position || offsets.offset(entry) == own) {
        return own;
      }
      long named = offsets.offset(entry);
      int latest = times.floorByTimestamp(maxTimestamp);
      boolean isNamedTwice =
          latest >= 0 && times.timestamp(latest) == maxTimestamp && times.offset(latest) == named;
      return isNamedTwice ? named : own;
    } catch (IOException toldByWhoeverReliesOnThem) {
      return own;
    }
  }

  private static long offsetAt(DiskFile log, int position) throws IOException {
    ByteBuffer offset = ByteBuffer.allocate(Long.BYTES);
    log.read(offset, position);
    return offset.hasRemaining() ? Long.MAX_VALUE : offset.getLong(0);
  }
}
