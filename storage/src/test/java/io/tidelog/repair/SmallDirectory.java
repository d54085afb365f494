package io.tidelog.repair;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.store.Lab;
import io.tidelog.store.Writers;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import io.tidelog.verify.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A small data directory with a file of every kind, as bytes, to be damaged and repaired: two
 * partitions of one topic, the first with three segments, transactions, a packed batch and a start
 * offset.
 */
final class SmallDirectory {
  static final Path DATA = Path.of("/data");
  static final Path QUARANTINE = Path.of("/data.quarantine");
  static final Map<String, String> SETTINGS =
      Map.of(
          "segment.bytes", "330",
          "segment.ms", Long.toString(Long.MAX_VALUE),
          "retention.ms", "-1",
          "index.interval.bytes", "1",
          "message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));

  private final Map<Path, byte[]> files = new TreeMap<>();
  private final List<Lab.Entry> entries;

  private SmallDirectory(SimDisk disk, List<Lab.Entry> entries) throws IOException {
    this.entries = entries;
    collect(disk, DATA);
  }

  private void collect(SimDisk disk, Path directory) throws IOException {
    for (String name : disk.list(directory)) {
      Path path = directory.resolve(name);
      if (disk.isDirectory(path)) {
        collect(disk, path);
      } else {
        files.put(path, bytes(disk, path));
      }
    }
  }

  static byte[] bytes(Disk disk, Path file) throws IOException {
    ByteBuffer contents = ByteBuffer.allocate((int) disk.sizeBytes(file));
    try (DiskFile opened = disk.openReadOnly(file)) {
      opened.read(contents, 0);
    }
    return contents.array();
  }

  /** Makes one, stopped cleanly. */
  static SmallDirectory make() throws IOException {
    SimClock clock = new SimClock();
    try (SimDisk disk = new SimDisk(1, clock)) {
      disk.createDirectories(DATA);
      List<Lab.Entry> entries;
      try (Lab lab = Lab.open(disk, DATA, clock, SETTINGS)) {
        write(lab, clock.millis());
        entries = Lab.entries(lab.orders(), 4096);
      }
      return new SmallDirectory(disk, entries);
    }
  }

  private static void write(Lab lab, long now) throws IOException {
    PartitionLog log = lab.orders();
    PartitionLog other =
        lab.store.create(new TopicPartition("orders", 1), Lab.ORDERS_ID, LogSettings.of(SETTINGS));
    Lab.append(other, now, "alone");
    Writers writers = new Writers();
    writers.plain(2, now).to(log, 4);
    writers.transactional(7, 2, now + 1).to(log, 4);
    writers.plain(1, now + 2).to(log, 4);
    log.appendMarker(writers.end(7, Outcome.ABORT, TransactionProtocol.V1), 4);
    log.append(
        Lab.batch(Compression.ZSTD, now + 3, "k:packed one", "k:packed two"),
        5,
        AppendSource.CLIENT);
    writers.idempotent(9, 2, now + 4).to(log, 5);
    writers.plain(3, now + 5).to(log, 5);
    writers.plain(1, now + 6).to(log, 6);
    writers.transactional(8, 1, now + 7).to(log, 6);
    log.appendMarker(writers.end(8, Outcome.COMMIT, TransactionProtocol.V1), 6);
    writers.plain(2, now + 8).to(log, 6);
    log.advanceStart(1);
  }

  /** The repair of such a directory. */
  static Repair repair(SimDisk disk) {
    return new Repair(disk, DATA, VerifyOptions.batches().withThreads(1));
  }

  /** What a check finds in such a directory. */
  static VerifyReport verify(Disk disk) throws IOException {
    return Verifier.verify(disk, DATA, VerifyOptions.batches().withThreads(1));
  }

  Map<Path, byte[]> files() {
    return files;
  }

  /** The records, as a reader saw them before the damage. */
  List<Lab.Entry> entries() {
    return entries;
  }

  /** A disk with these files, one of which is other; null for gone. */
  SimDisk diskWith(Path changed, byte[] contents) throws IOException {
    SimDisk disk = new SimDisk(1, new SimClock());
    Map<Path, byte[]> others = new HashMap<>();
    others.put(changed, contents);
    writeTo(disk, others);
    return disk;
  }

  /** Writes these files, some of which are other; null for gone. */
  void writeTo(SimDisk disk, Map<Path, byte[]> others) throws IOException {
    disk.createDirectories(DATA);
    Map<Path, byte[]> all = new LinkedHashMap<>(files);
    all.putAll(others);
    for (Map.Entry<Path, byte[]> file : all.entrySet()) {
      disk.createDirectories(file.getKey().getParent());
      if (file.getValue() != null) {
        try (DiskFile created = disk.create(file.getKey())) {
          created.write(ByteBuffer.wrap(file.getValue()), 0);
        }
      }
    }
  }

  /** The last log of the first partition. */
  Path lastLog() {
    return files.keySet().stream()
        .filter(file -> file.getParent().endsWith("orders-0"))
        .filter(file -> file.toString().endsWith(SegmentFiles.LOG))
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  /** A batch in a log. */
  record Batch(int from, int to, long baseOffset, long nextOffset) {
    boolean holds(long offset) {
      return offset >= baseOffset && offset < nextOffset;
    }
  }

  /** The batches of a log; none of another file. */
  List<Batch> batchesOf(Path file) {
    List<Batch> batches = new ArrayList<>();
    if (!file.toString().endsWith(SegmentFiles.LOG)) {
      return batches;
    }
    ByteBuffer bytes = ByteBuffer.wrap(files.get(file));
    for (int at = 0; at < bytes.limit(); ) {
      RecordBatch batch = RecordBatch.at(bytes, at);
      batches.add(new Batch(at, at + batch.sizeBytes(), batch.baseOffset(), batch.nextOffset()));
      at += batch.sizeBytes();
    }
    return batches;
  }
}
