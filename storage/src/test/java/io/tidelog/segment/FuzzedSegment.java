package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small sound segment, the same each time, whose files a fuzz target replaces by others. */
final class FuzzedSegment {
  static final long BASE = 1_000;
  static final Path FOLDER = Path.of("/data/orders-0");
  static final Path LOG = SegmentFiles.path(FOLDER, BASE, SegmentFiles.LOG);

  private static final int INTERVAL_BYTES = 150;
  private static final int BATCHES = 12;

  private final SimDisk written;
  final List<BatchAt> batches = new ArrayList<>();

  /** A batch and where it lies. */
  record BatchAt(int position, long lastOffset, long maxTimestamp) {}

  private FuzzedSegment(SimDisk written) {
    this.written = written;
  }

  static FuzzedSegment write() {
    try {
      SimDisk disk = new SimDisk(1);
      disk.createDirectories(FOLDER);
      FuzzedSegment made = new FuzzedSegment(disk);
      Segment segment = Segment.create(setting(disk, new ArrayList<>()), BASE);
      long[] risesMs = {0, 3, 3, -5, 2, 9, 0, 0, 1, -20, 40, 1};
      long timestampMs = SimClock.START_MS;
      long offset = BASE;
      for (int i = 0; i < BATCHES; i++) {
        timestampMs += risesMs[i];
        ByteBuffer bytes =
            Produced.at(io.tidelog.record.Compression.NONE, timestampMs, timestampMs);
        RecordBatch batch = RecordBatch.at(bytes, 0);
        batch.stampBaseOffset(offset);
        made.batches.add(new BatchAt(segment.sizeBytes(), batch.lastOffset(), timestampMs));
        segment.append(batch);
        offset = batch.nextOffset() + i % 2;
      }
      segment.seal();
      segment.syncLog();
      segment.unpin();
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A disk of its own with the segment. */
  SimDisk copy() {
    return written.restart(1);
  }

  static Segment.Setting setting(Disk disk, List<String> repairs) {
    return new Segment.Setting(disk, FOLDER, INTERVAL_BYTES, 0, repairs::add);
  }

  /** All bytes of one of the segment's files. */
  byte[] bytes(String suffix) throws IOException {
    return new io.tidelog.store.Damage(copy()).bytes(SegmentFiles.path(FOLDER, BASE, suffix));
  }
}
