package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.NioDisk;
import io.tidelog.record.Compression;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreSettings;
import io.tidelog.store.Surroundings;
import io.tidelog.store.ThreadScheduler;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One appender that now and then cuts the log and raises its epoch, retention, flushes and readers
 * by offset and by time, all at once on a real disk: every reader sees whole batches with the right
 * records, and offsets only ever move as they should.
 */
@Timeout(120)
class ConcurrentUseTest {
  private static final int APPENDS = 2500;
  private static final int APPENDS_PER_CUT = 250;

  @TempDir Path directory;

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile boolean isOver;
  private LogStore store;
  private PartitionLog log;

  /** What a thread does again and again. */
  private interface Work {
    void run(RandomGenerator random) throws IOException;
  }

  @ParameterizedTest
  @CsvSource({"page-cache,1", "page-cache,2", "fsync,3"})
  void all_at_once(String durability, long seed) throws Exception {
    open(durability);
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      List<Future<?>> threads = new ArrayList<>();
      threads.add(pool.submit(() -> untilOver(seed * 10 + 1, this::readByOffset)));
      threads.add(pool.submit(() -> untilOver(seed * 10 + 2, this::readByTime)));
      threads.add(pool.submit(() -> untilOver(seed * 10 + 3, this::followTheEnd)));
      threads.add(pool.submit(() -> untilOver(seed * 10 + 4, this::retain)));
      threads.add(pool.submit(() -> untilOver(seed * 10 + 5, random -> log.flush())));
      appendAll(new SplittableRandom(seed));
      isOver = true;
      for (Future<?> thread : threads) {
        thread.get(60, TimeUnit.SECONDS);
      }
    } finally {
      isOver = true;
      pool.shutdown();
    }
    store.close();
    assertThat(events).noneMatch(event -> !event.contains("dropped"));
    reopenedIsSound(durability);
  }

  private void open(String durability) throws IOException {
    LogSettings settings =
        LogSettings.of(
            Map.of(
                "segment.bytes", "20000",
                "index.interval.bytes", "300",
                "file.delete.delay.ms", "1",
                "tidelog.durability", durability));
    store =
        LogStore.open(
            List.of(directory),
            new StoreSettings(partition -> settings, 10, 3_600_000, 10, 1),
            new Surroundings(
                new NioDisk(),
                new SimClock(),
                new SplittableRandom(1),
                ThreadScheduler.start(2, (sentence, cause) -> events.add(sentence)),
                (kind, sentence) -> events.add(kind + " " + sentence)));
    log =
        store.find(Lab.ORDERS).isPresent()
            ? store.find(Lab.ORDERS).get()
            : store.create(Lab.ORDERS, Lab.ORDERS_ID, settings);
  }

  private Void untilOver(long seed, Work work) throws IOException {
    RandomGenerator random = new SplittableRandom(seed);
    while (!isOver) {
      work.run(random);
    }
    return null;
  }

  private void appendAll(RandomGenerator random) throws IOException {
    int epoch = 0;
    for (int i = 0; i < APPENDS; i++) {
      if (i % APPENDS_PER_CUT == APPENDS_PER_CUT - 1) {
        long to = Math.max(log.view().start(), log.view().end() - random.nextInt(30));
        cuts.incrementAndGet();
        try {
          log.truncateTo(to);
        } catch (OffsetOutOfRangeException startMovedOn) {
          // Retention was faster.
        }
        cuts.incrementAndGet();
        epoch++;
      }
      long base = log.view().end();
      String[] values = new String[1 + random.nextInt(3)];
      for (int v = 0; v < values.length; v++) {
        values[v] = value(base + v);
      }
      ByteBuffer batch = Lab.batch(Compression.NONE, time(base), values);
      assertThat(log.append(batch, epoch, AppendSource.CLIENT).baseOffset()).isEqualTo(base);
    }
  }

  private static String value(long offset) {
    return "value " + offset;
  }

  private static long time(long baseOffset) {
    return SimClock.START_MS - 1_000_000 + baseOffset;
  }

  private void readByOffset(RandomGenerator random) throws IOException {
    LogView view = log.view();
    if (view.start() < view.highWatermark()) {
      read(random.nextLong(view.start(), view.highWatermark()), random.nextInt(3000));
    }
  }

  private void followTheEnd(RandomGenerator random) throws IOException {
    long offset = log.view().start();
    for (int i = 0; i < 50 && !isOver; i++) {
      offset = Math.max(offset, read(offset, 1 + random.nextInt(5000)));
    }
  }

  /** Checks what a read gives; answers the offset after it. */
  private long read(long offset, int maxBytes) throws IOException {
    int cutsBefore = cuts.get();
    LogSlice slice;
    try {
      slice = log.read(offset, maxBytes, ReadUpTo.HIGH_WATERMARK);
    } catch (OffsetOutOfRangeException gone) {
      assertThat(offset < log.view().start() || cuts.get() > 0).isTrue();
      return log.view().start();
    }
    ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
    slice.read(bytes, 0);
    slice.release();
    if (cutsBefore != cuts.get() || cutsBefore % 2 == 1) {
      return offset;
    }
    List<Lab.Entry> entries = new ArrayList<>();
    long next = Lab.addEntries(bytes.flip(), offset, entries);
    for (Lab.Entry entry : entries) {
      assertThat(entry.value()).isEqualTo(value(entry.offset()));
    }
    return next;
  }

  private void readByTime(RandomGenerator random) throws IOException {
    int cutsBefore = cuts.get();
    LogView before = log.view();
    if (before.start() == before.highWatermark()) {
      return;
    }
    long wanted = random.nextLong(before.start(), before.highWatermark());
    OffsetAtTime found = log.offsetAtTime(time(wanted), ReadUpTo.HIGH_WATERMARK);
    OffsetAtTime latest = log.offsetOfMaxTimestamp();
    LogView after = log.view();
    if (cutsBefore != cuts.get() || cutsBefore % 2 == 1 || after.start() > wanted) {
      return;
    }
    if (found.offset() >= 0) {
      assertThat(found.timestampMs()).isGreaterThanOrEqualTo(time(wanted));
      assertThat(found.offset()).isBetween(wanted, wanted + 3);
    } else {
      assertThat(wanted).isGreaterThan(before.highWatermark() - 3);
    }
    assertThat(latest.offset()).isBetween(before.end() - 3, after.end());
  }

  private void retain(RandomGenerator random) throws IOException {
    LogView before = log.view();
    long offset = Math.max(0, before.highWatermark() - random.nextInt(200, 2000));
    if (random.nextBoolean()) {
      log.dropSegmentsBelow(offset);
    } else {
      try {
        log.advanceStart(offset);
      } catch (OffsetOutOfRangeException cutMeanwhile) {
        assertThat(cuts.get()).isPositive();
      }
    }
    LogView after = log.view();
    assertThat(after.start()).isGreaterThanOrEqualTo(before.start());
  }

  private void reopenedIsSound(String durability) throws IOException {
    open(durability);
    for (Lab.Entry entry : Lab.entries(log, 10_000)) {
      assertThat(entry.value()).isEqualTo(value(entry.offset()));
    }
    FullScan.of(new NioDisk(), log.directory()).agreesWith(log);
    store.close();
    assertThat(events).noneMatch(event -> !event.contains("dropped"));
  }
}
