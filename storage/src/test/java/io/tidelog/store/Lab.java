package io.tidelog.store;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.record.Compression;
import io.tidelog.record.Packing;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.testkit.SimClock;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A store on a disk of the test's choice, with a clock and background work that the test moves, and
 * the words that tests about logs need.
 */
public final class Lab implements AutoCloseable {
  public static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  public static final TopicId ORDERS_ID = new TopicId(0x1122334455667788L, 0x0102030405060708L);

  public final Disk disk;
  public final Path directory;
  public final SimClock clock;
  public final ManualScheduler scheduler;
  public final List<String> events = new ArrayList<>();
  public final LogStore store;
  private final List<Path> directories;
  private final LogSettings settings;
  private boolean isHarmed;
  private FindingKind[] left = {};

  /** A record, as a reader sees it. */
  public record Entry(long offset, long timestampMs, String key, String value) {}

  /** How the store works in the background. */
  private record Work(long reservedBytes, CleanerSettings cleaner) {
    private static final Work USUAL = new Work(Room.BY_SIZE, CleanerSettings.DEFAULTS);
  }

  private Lab(Disk disk, List<Path> directories, SimClock clock, LogSettings settings, Work work)
      throws IOException {
    this.disk = disk;
    this.directory = directories.get(0);
    this.directories = directories;
    this.settings = settings;
    this.clock = clock;
    this.scheduler = new ManualScheduler(clock);
    this.store =
        LogStore.open(
            directories,
            new StoreSettings(partition -> settings, 3_000, 300_000, 60_000, 1)
                .withReservedBytes(work.reservedBytes)
                .withCleaner(work.cleaner),
            new Surroundings(
                disk,
                clock,
                new SplittableRandom(7),
                scheduler,
                (kind, sentence) -> events.add(kind + " " + sentence)));
  }

  public static Lab open(Disk disk, Path directory, Map<String, String> settings)
      throws IOException {
    return open(disk, directory, new SimClock(), settings);
  }

  public static Lab open(Disk disk, Path directory, SimClock clock, Map<String, String> settings)
      throws IOException {
    return open(disk, List.of(directory), clock, settings);
  }

  public static Lab open(
      Disk disk, List<Path> directories, SimClock clock, Map<String, String> settings)
      throws IOException {
    return new Lab(disk, directories, clock, LogSettings.of(settings), Work.USUAL);
  }

  /** With settings of compaction. */
  public static Lab open(
      Disk disk,
      Path directory,
      SimClock clock,
      Map<String, String> settings,
      CleanerSettings cleaner)
      throws IOException {
    return new Lab(
        disk, List.of(directory), clock, LogSettings.of(settings), new Work(Room.BY_SIZE, cleaner));
  }

  /** The same with several directories. */
  static Lab open(
      Disk disk,
      List<Path> directories,
      SimClock clock,
      Map<String, String> settings,
      CleanerSettings cleaner)
      throws IOException {
    return new Lab(
        disk, directories, clock, LogSettings.of(settings), new Work(Room.BY_SIZE, cleaner));
  }

  /** Compacts the partition now, as far as may be. */
  public void compact() {
    store.compactor().compact(ORDERS);
    scheduler.runDue();
  }

  /** Opens a store that keeps this much of the disk free. */
  public static Lab open(
      Disk disk, Path directory, Map<String, String> settings, long reservedBytes)
      throws IOException {
    return new Lab(
        disk,
        List.of(directory),
        new SimClock(),
        LogSettings.of(settings),
        new Work(reservedBytes, CleanerSettings.DEFAULTS));
  }

  /** The log of the one partition that most tests need, created on first use. */
  public PartitionLog orders() throws IOException {
    return store.find(ORDERS).isPresent()
        ? store.find(ORDERS).get()
        : store.create(ORDERS, ORDERS_ID, settings);
  }

  /** Appends a batch with one record per value, all at this time, under the epoch that it has. */
  public static Appended append(PartitionLog log, long timestampMs, String... values)
      throws IOException {
    return log.append(
        batch(Compression.NONE, timestampMs, values),
        Math.max(0, log.latestEpoch()),
        AppendSource.CLIENT);
  }

  /**
   * A batch with one record per value, all at this time; the key of a value is what stands before
   * its colon, if it has one.
   */
  public static ByteBuffer batch(Compression compression, long timestampMs, String... values) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatchWriter writer =
          new RecordBatchWriter(codecs).begin().packing(Packing.of(compression));
      for (String value : values) {
        int colon = value.indexOf(':');
        writer.append(
            timestampMs,
            colon < 0 ? null : bytes(value.substring(0, colon)),
            bytes(value.substring(colon + 1)));
      }
      return copy(writer.finish());
    }
  }

  /** The bytes of a batch, in a buffer of their own. */
  public static ByteBuffer copy(RecordBatch batch) {
    return ByteBuffer.allocate(batch.sizeBytes())
        .put(batch.buffer().slice(batch.position(), batch.sizeBytes()))
        .flip();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** All values from the start offset to the end, by way of many reads. */
  public static List<String> values(PartitionLog log) throws IOException {
    return entries(log, 4096).stream().map(Entry::value).toList();
  }

  /** All records from the start offset to the end but those lost, read in slices of this size. */
  public static List<Entry> entries(PartitionLog log, int maxBytes) throws IOException {
    List<Entry> entries = new ArrayList<>();
    long offset = log.view().start();
    long stuckAt = Long.MAX_VALUE; // unless compaction left nothing from there to the end
    while (offset < log.view().end()) {
      long next = addEntriesOrStepOver(log, offset, maxBytes, entries);
      if (next > offset && stuckAt < offset) {
        throw new AssertionError("a read at " + stuckAt + " of " + log + " did not move on");
      }
      if (next <= offset) {
        stuckAt = Math.min(stuckAt, offset);
        next = offset + 1;
      }
      offset = next;
    }
    return entries;
  }

  private static long addEntriesOrStepOver(
      PartitionLog log, long offset, int maxBytes, List<Entry> entries) throws IOException {
    try {
      return addEntries(bytesAt(log, offset, maxBytes), offset, entries);
    } catch (LostOffsetsException lost) {
      return lost.stretch().part().endOffset();
    }
  }

  /** The bytes of one read. */
  public static ByteBuffer bytesAt(PartitionLog log, long offset, int maxBytes) throws IOException {
    LogSlice slice = log.read(offset, maxBytes, ReadUpTo.LOG_END);
    try {
      ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
      slice.read(bytes, 0);
      return bytes.flip();
    } finally {
      slice.release();
    }
  }

  /** Adds the records of whole batches, from an offset on; answers the offset after them. */
  public static long addEntries(ByteBuffer bytes, long from, List<Entry> entries) {
    long next = from;
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      for (int at = 0; at < bytes.limit(); ) {
        RecordBatch batch = RecordBatch.at(bytes, at);
        if (!batch.isComplete() || batch.crc() != batch.computeCrc()) {
          throw new AssertionError("a read gave a torn batch: " + batch);
        }
        cursor.open(batch, UnpackLimits.DEFAULT);
        while (cursor.next()) {
          if (cursor.offset() >= from) {
            entries.add(
                new Entry(
                    cursor.offset(),
                    cursor.timestamp(),
                    text(cursor.hasKey() ? cursor.key() : null),
                    text(cursor.hasValue() ? cursor.value() : null)));
          }
        }
        next = batch.nextOffset();
        at += batch.sizeBytes();
      }
    }
    return next;
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  /** There is harm on its disk: nothing is claimed about what it leaves. */
  public Lab harmed() {
    isHarmed = true;
    return this;
  }

  /** What verify finds in what it leaves is of these kinds. */
  public Lab leaving(FindingKind... kinds) {
    left = kinds.clone();
    return this;
  }

  /** Stops it; in what it leaves verify finds nothing but what the test said. */
  @Override
  public void close() throws IOException {
    store.close();
    if (!isHarmed) {
      Soundness.require(disk, directories, left);
    }
  }
}
