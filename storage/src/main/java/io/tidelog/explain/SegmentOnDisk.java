package io.tidelog.explain;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.TimestampType;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import io.tidelog.segment.TimedSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** A segment as its files are, looked at without an index. For one thread. */
public final class SegmentOnDisk implements TimedSegment {
  private final Disk disk;
  private final Path directory;
  private final long baseOffset;
  private final int sizeBytes;
  private Headers headers;

  /**
   * The batch with the largest timestamp, the first if there are several.
   *
   * @param timestampMs that timestamp
   * @param offset of the first record that has it; of the batch's last one if its records cannot be
   *     read
   * @param position byte of the log at which the batch starts
   */
  public record Newest(long timestampMs, long offset, int position) {}

  /**
   * What the headers of the batches say.
   *
   * @param firstMs largest timestamp of the first batch
   * @param newestAt where the batch with the largest timestamp starts, -1 if no batch has one
   * @param nextOffset the offset after the last batch
   */
  private record Headers(long firstMs, long newestMs, int newestAt, long nextOffset) {}

  private SegmentOnDisk(Disk disk, Path directory, long baseOffset, int sizeBytes) {
    this.disk = disk;
    this.directory = directory;
    this.baseOffset = baseOffset;
    this.sizeBytes = sizeBytes;
  }

  static SegmentOnDisk at(Disk disk, Path directory, long baseOffset) throws IOException {
    long bytes = disk.sizeBytes(SegmentFiles.path(directory, baseOffset, SegmentFiles.LOG));
    return new SegmentOnDisk(disk, directory, baseOffset, (int) Math.min(bytes, Integer.MAX_VALUE));
  }

  @Override
  public long baseOffset() {
    return baseOffset;
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  Disk disk() {
    return disk;
  }

  @Override
  public long modifiedMs() throws IOException {
    return disk.modifiedMs(path(SegmentFiles.LOG));
  }

  @Override
  public long maxTimestamp() throws IOException {
    return headers().newestMs;
  }

  @Override
  public long firstTimestamp() throws IOException {
    return headers().firstMs;
  }

  /** One of its files. */
  public Path path(String suffix) {
    return SegmentFiles.path(directory, baseOffset, suffix);
  }

  /** Its log, open for reading. */
  DiskFile openLog() throws IOException {
    return disk.openReadOnly(path(SegmentFiles.LOG));
  }

  /** The offset after its last sound header. */
  long nextOffset() throws IOException {
    return headers().nextOffset;
  }

  /** The record that is the newest; empty if no record has a timestamp. */
  Optional<Newest> newest() throws IOException {
    Headers found = headers();
    if (found.newestMs < 0) {
      return Optional.empty();
    }
    try (DiskFile log = openLog()) {
      BatchWalk walk = BatchWalk.headers(log, found.newestAt, sizeBytes);
      walk.next();
      return Optional.of(
          new Newest(found.newestMs, offsetOf(found.newestMs, walk), found.newestAt));
    }
  }

  private static long offsetOf(long timestampMs, BatchWalk walk) throws IOException {
    long last = walk.batch().lastOffset();
    if (walk.batch().timestampType() == TimestampType.LOG_APPEND_TIME) {
      return walk.batch().baseOffset();
    }
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      cursor.open(walk.soundBatch(), UnpackLimits.DEFAULT);
      while (cursor.next()) {
        if (cursor.timestamp() >= timestampMs) {
          return cursor.offset();
        }
      }
    } catch (CorruptLogException | InvalidBatchException unreadable) {
      // The batch is as near as it gets.
    }
    return last;
  }

  private Headers headers() throws IOException {
    if (headers == null) {
      headers = readHeaders();
    }
    return headers;
  }

  private Headers readHeaders() throws IOException {
    long firstMs = RecordBatch.NO_TIMESTAMP;
    long newestMs = RecordBatch.NO_TIMESTAMP;
    int newestAt = -1;
    long next = baseOffset;
    boolean isFirst = true;
    try (DiskFile log = openLog()) {
      SoundWalk walk = walk(log, stretch -> {});
      while (walk.next()) {
        if (isFirst) {
          firstMs = walk.batch().maxTimestamp();
          isFirst = false;
        }
        if (walk.batch().maxTimestamp() > newestMs) {
          newestMs = walk.batch().maxTimestamp();
          newestAt = walk.position();
        }
        next = walk.batch().nextOffset();
      }
      return new Headers(firstMs, newestMs, newestAt, next);
    }
  }

  /**
   * A walk over its batches that steps over damage.
   *
   * @param damage told of each stretch
   */
  SoundWalk walk(DiskFile log, Consumer<DamagedStretch> damage) {
    LogPart all = new LogPart(0, sizeBytes, baseOffset, LogPart.OPEN);
    return SoundWalk.over(log, new SoundWalk.Reading(all, SoundWalk.Trust.ALL, damage));
  }
}
