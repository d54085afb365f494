package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.log.LogSlice;
import io.tidelog.log.OffsetAtTime;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.LostOffsetsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the {@code .log} files of a partition say, read from the first byte to the last without any
 * index: the truth that every search has to agree with. What is no sound batch is passed over.
 */
public final class FullScan {
  private final List<Batch> batches = new ArrayList<>();
  private final List<Lab.Entry> entries = new ArrayList<>();

  /** A batch and where it lies. */
  public record Batch(Path file, int position, RecordBatch header) {
    public int end() {
      return position + header.sizeBytes();
    }

    public ByteBuffer bytes() {
      return header.buffer().slice(header.position(), header.sizeBytes());
    }
  }

  private FullScan() {}

  public static FullScan of(Disk disk, Path folder) throws IOException {
    FullScan scan = new FullScan();
    for (String name : disk.list(folder)) {
      if (name.endsWith(".log")) {
        scan.add(
            folder.resolve(name), ByteBuffer.wrap(new Damage(disk).bytes(folder.resolve(name))));
      }
    }
    return scan;
  }

  /** Cuts the last byte off each log. */
  static void loseLastByte(Disk disk, Path folder) throws IOException {
    for (String name : disk.list(folder)) {
      Path file = folder.resolve(name);
      if (name.endsWith(".log") && disk.sizeBytes(file) > 0) {
        new Damage(disk).cut(file, disk.sizeBytes(file) - 1);
      }
    }
  }

  private void add(Path file, ByteBuffer bytes) {
    for (int at = 0; at + RecordBatch.HEADER_BYTES <= bytes.limit(); ) {
      RecordBatch header = RecordBatch.at(bytes, at);
      if (isSound(header)) {
        batches.add(new Batch(file, at, header));
        Lab.addEntries(bytes.slice(at, header.sizeBytes()), 0, entries);
        at += header.sizeBytes();
      } else {
        at++;
      }
    }
  }

  private boolean isSound(RecordBatch header) {
    return header.isComplete()
        && header.magic() == RecordBatch.MAGIC
        && header.crc() == header.computeCrc()
        && (batches.isEmpty() || header.baseOffset() > lastBatch().header.lastOffset());
  }

  public List<Batch> batches() {
    return batches;
  }

  public Batch lastBatch() {
    return batches.get(batches.size() - 1);
  }

  public List<Lab.Entry> entries() {
    return entries;
  }

  /** The first record from an offset on that has this timestamp or a larger one. */
  public OffsetAtTime atTime(long startOffset, long timestampMs) {
    for (Lab.Entry entry : entries) {
      if (entry.offset() >= startOffset && entry.timestampMs() >= timestampMs) {
        return new OffsetAtTime(
            entry.offset(),
            entry.timestampMs(),
            batchFrom(entry.offset()).orElseThrow().header.leaderEpoch());
      }
    }
    return OffsetAtTime.NONE;
  }

  /** The first record from an offset on that has the largest timestamp. */
  public OffsetAtTime atMaxTimestamp(long startOffset) {
    long largest = -1;
    for (Lab.Entry entry : entries) {
      largest = entry.offset() >= startOffset ? Math.max(largest, entry.timestampMs()) : largest;
    }
    return largest < 0 ? OffsetAtTime.NONE : atTime(startOffset, largest);
  }

  private boolean isThere(long offset) {
    return batches.stream()
        .anyMatch(
            batch -> batch.header.baseOffset() <= offset && batch.header.lastOffset() >= offset);
  }

  /** The first batch that reaches an offset; none where compaction left nothing to the end. */
  private Optional<Batch> batchFrom(long offset) {
    return batches.stream().filter(batch -> batch.header.lastOffset() >= offset).findFirst();
  }

  /** Every search in the log answers what this scan says. */
  public void agreesWith(PartitionLog log) throws IOException {
    long start = log.view().start();
    for (long offset = start; offset < log.view().end(); offset++) {
      try {
        ByteBuffer found = oneBatch(log, offset);
        assertThat(found)
            .as("read at %d", offset)
            .isEqualTo(batchFrom(offset).map(Batch::bytes).orElse(ByteBuffer.allocate(0)));
      } catch (LostOffsetsException lost) {
        assertThat(isThere(offset)).as("%d is there: %s", offset, lost.getMessage()).isFalse();
      }
    }
    for (long timestampMs : interestingTimes()) {
      assertThat(log.offsetAtTime(timestampMs, ReadUpTo.LOG_END))
          .as("first record at or after time %d", timestampMs)
          .isEqualTo(atTime(start, timestampMs));
    }
    assertThat(log.offsetOfMaxTimestamp()).isEqualTo(atMaxTimestamp(start));
  }

  private Set<Long> interestingTimes() {
    Set<Long> times = new TreeSet<>(List.of(0L));
    for (Lab.Entry entry : entries) {
      times.add(entry.timestampMs() - 1);
      times.add(entry.timestampMs());
      times.add(entry.timestampMs() + 1);
    }
    return times;
  }

  private static ByteBuffer oneBatch(PartitionLog log, long offset) throws IOException {
    LogSlice slice = log.read(offset, 1, ReadUpTo.LOG_END);
    try {
      ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
      slice.read(bytes, 0);
      return bytes.flip();
    } finally {
      slice.release();
    }
  }
}
