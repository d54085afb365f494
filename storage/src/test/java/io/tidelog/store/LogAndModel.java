package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.Segment;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A log in one of two data directories, on a disk that loses power, and its model, to which the
 * same is done; after each step they are compared.
 */
final class LogAndModel {
  private static final List<Path> DIRECTORIES = List.of(Path.of("/first"), Path.of("/second"));

  /** Few keys fit, so that there are several passes. */
  private static final CleanerSettings CLEANER =
      new CleanerSettings(
          CleanerSettings.Schedule.ON_REQUEST, 1, 40 * 24, 0.9, 8192, Double.MAX_VALUE, 15_000);

  private static final int[] SEGMENT_BYTES = {300, 600, 900, 5_000};

  private final Map<String, String> settings = new TreeMap<>();
  private final SimClock clock = new SimClock();
  private final ModelLog model = new ModelLog();
  private final LogWriting writing = new LogWriting(this, model);
  private final LogReading reading;
  private final LogHarm harm = new LogHarm(this, model);
  private SimDisk disk;
  private Lab lab;
  private boolean losesBytes;
  private boolean losesInCompaction;
  private boolean isTorn;

  private LogAndModel(String durability, CommittedReader client) throws IOException {
    reading = new LogReading(this, model, client);
    settings.put("segment.bytes", "900");
    settings.put("index.interval.bytes", "150");
    settings.put("retention.ms", "-1");
    settings.put("cleanup.policy", "compact,delete");
    settings.put("min.cleanable.dirty.ratio", "1.0");
    settings.put("delete.retention.ms", "1000");
    settings.put("file.delete.delay.ms", "1000");
    settings.put("tidelog.durability", durability);
    SimDisk empty = new SimDisk(1);
    for (Path directory : DIRECTORIES) {
      empty.createDirectories(directory);
    }
    disk = empty.restart(1);
    open();
  }

  static LogAndModel start(String durability, CommittedReader client) throws IOException {
    LogAndModel both = new LogAndModel(durability, client);
    both.log();
    return both;
  }

  /** Starts it. */
  void open() throws IOException {
    lab = open(disk);
  }

  /** Starts it on another disk, where it is another log. */
  Lab open(SimDisk other) throws IOException {
    return Lab.open(other, DIRECTORIES, clock, settings, CLEANER);
  }

  /** While it is stopped, another disk with all that is on its own. */
  SimDisk copyOfDisk() {
    SimDisk copy = disk.restart(1);
    settle();
    return copy;
  }

  /** While it is stopped, makes durable what was done to its files. */
  void settle() {
    disk = disk.restart(1);
  }

  /** From here on a crash takes the last byte of the log too, whether it was synced or not. */
  void loseBytesInCrashes() {
    losesBytes = true;
  }

  /** From here on each compaction takes one batch too many. */
  void loseBatchesInCompaction() {
    losesInCompaction = true;
  }

  Lab lab() {
    return lab;
  }

  SimDisk disk() {
    return disk;
  }

  LogWriting writing() {
    return writing;
  }

  LogReading reading() {
    return reading;
  }

  LogHarm harm() {
    return harm;
  }

  PartitionLog log() throws IOException {
    return lab.orders();
  }

  void flush() throws IOException {
    log().flush();
    assertThat(log().recoveryPoint()).isEqualTo(model.end());
    model.durableTo(model.end());
  }

  void background(int forMs) throws IOException {
    lab.scheduler.advanceMs(forMs);
    model.durableTo(log().recoveryPoint());
    assertThat(log().view().highWatermark()).isEqualTo(model.end());
    model.advanceStart(log().view().start());
  }

  void deleteRecords(int at) throws IOException {
    long offset = at % (log().view().highWatermark() + 1);
    log().advanceStart(offset);
    model.advanceStart(offset);
  }

  void dropSegments(int at) throws IOException {
    long offset = at % (model.end() + 1);
    log().dropSegmentsBelow(offset);
    long start = log().view().start();
    assertThat(start).isBetween(model.start(), Math.max(model.start(), offset));
    model.advanceStart(start);
  }

  /** Retention by size, once: the most segments go without which as much is left. */
  void retain(int bytes) throws IOException {
    List<Segment> before = log().segments();
    long sizeBefore = log().sizeBytes();
    apply(Map.of("retention.bytes", Integer.toString(bytes)));
    lab.store.enforceRetention();
    apply(Map.of("retention.bytes", "-1"));
    long start = log().view().start();
    if (start > model.start()) {
      assertThat(start).isLessThanOrEqualTo(log().view().highWatermark());
      assertThat(log().sizeBytes()).isGreaterThanOrEqualTo(Math.min(bytes, sizeBefore));
      assertThat(log().segments()).hasSizeLessThanOrEqualTo(before.size());
    }
    model.advanceStart(start);
  }

  void configure(int a, int b) throws IOException {
    settings.put("segment.bytes", Integer.toString(SEGMENT_BYTES[a % SEGMENT_BYTES.length]));
    settings.put("flush.messages", Integer.toString(1 + b % 50));
    apply(Map.of());
  }

  private void apply(Map<String, String> besides) throws IOException {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(besides);
    log().apply(LogSettings.of(all));
  }

  /** Compacts all that may be, unless the log is on its way: of each key the latest stays. */
  void compact() throws IOException {
    background(0);
    if (lab.store.moving().isEmpty()) {
      long below =
          lab.store.compactor().outlook(Lab.ORDERS).orElseThrow().plan().firstUncleanableOffset();
      lab.compact();
      background(0);
      if (losesInCompaction) {
        loseLastBatchOfFirstSegment();
      }
      assertThat(lab.store.compactor().uncleanable()).isEmpty();
      model.compact(below, reading.records(), clock.millis());
    }
  }

  private void loseLastBatchOfFirstSegment() throws IOException {
    Path folder = log().directory();
    int segments = log().segments().size();
    lab.harmed().close();
    List<FullScan.Batch> batches = FullScan.of(disk, folder).batches();
    if (segments > 1 && !batches.isEmpty()) {
      Path first = batches.get(0).file();
      int position = 0;
      for (FullScan.Batch batch : batches) {
        position = batch.file().equals(first) ? batch.position() : position;
      }
      new Damage(disk).cut(first, position);
    }
    open();
  }

  /** Begins to move the log to the other directory, or goes on with it, as far as it gets. */
  void move(int steps) throws IOException {
    Path now = log().directory().getParent();
    Path other = DIRECTORIES.get(now.equals(DIRECTORIES.get(0)) ? 1 : 0);
    if (lab.store.moving().isEmpty()) {
      lab.store.move(Lab.ORDERS, other, () -> {});
    }
    for (int step = 0; step < steps; step++) {
      lab.scheduler.runNext();
    }
  }

  /** Cuts the end off, but not in the batch in which the start lies. */
  void truncate(int at) throws IOException {
    long offset = model.start() + at % (model.end() - model.start() + 1);
    if (offset < model.end() && model.at(offset).baseOffset() < model.start()) {
      return;
    }
    log().truncateTo(offset);
    model.truncateTo(offset);
    List<Lab.Entry> left = model.entries();
    model.truncateTo(log().view().end()); // behind the last batch that compaction left
    assertThat(model.entries()).isEqualTo(left);
    model.nothingIsDurable();
    writing.startTransactionalProducersAgain();
  }

  void reopen() throws IOException {
    stop();
    model.durableTo(model.end());
    open();
    assertThat(lab.events).allMatch(harm::mayTell);
    assertThat(log().view().highWatermark()).isEqualTo(model.end());
  }

  void crash(long seed) throws IOException {
    model.durableTo(Math.max(log().recoveryPoint(), acknowledged()));
    Path folder = log().directory();
    disk = disk.crash(seed);
    if (losesBytes) {
      FullScan.loseLastByte(disk, folder);
    }
    open();
    long start = log().view().start();
    long end = log().view().end();
    assertThat(model.mayStartAt(start)).as("the log may start at %d now", start).isTrue();
    model.advanceStart(start);
    assertThat(model.mayEndAt(end)).as("the log may end at %d now", end).isTrue();
    model.truncateTo(end);
    writing.startTransactionalProducersAgain();
    isTorn = !reading.records().equals(model.entries()) || !hasAllMarkers(folder);
    if (isTorn) {
      model.agreesUpToDurable(reading.records());
      return;
    }
    reading.allAgrees();
    Soundness.require(disk, DIRECTORIES, harm.left());
  }

  private boolean hasAllMarkers(Path folder) throws IOException {
    return FullScan.of(disk, folder).batches().stream()
        .map(batch -> batch.header().baseOffset())
        .toList()
        .containsAll(model.doubtfulMarkers());
  }

  /**
   * Whether a crash took segments that were not durable from the middle, as a system that writes
   * later files first does: a compacted log goes on past them, for compaction may have left nothing
   * there. Its life ends here.
   */
  boolean isTorn() {
    return isTorn;
  }

  /** With fsync durability what is acknowledged is durable. */
  private long acknowledged() throws IOException {
    return settings.get("tidelog.durability").equals("fsync") ? log().view().highWatermark() : 0;
  }

  /** Stops it; nothing is claimed about what it leaves. */
  void close() throws IOException {
    lab.harmed().close();
    disk.close();
  }

  /** Stops it cleanly; what it leaves must be sound. */
  void stop() throws IOException {
    lab.leaving(harm.left()).close();
    disk.close();
  }
}
