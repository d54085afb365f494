package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.NioDisk;
import io.tidelog.log.LogListener;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Appenders and readers on a real disk while the partition goes from one data directory to the
 * other and back, again and again: no append fails, no record is lost, moved or seen twice, and
 * whoever waits for a record is told of it.
 */
@Timeout(120)
class MovedWhileUsedTest {
  private static final int MOVES = 6;
  private static final int APPENDERS = 2;

  /** Bounded, so that a slow disk keeps up. */
  private static final int APPENDS_PER_MOVE = 1_000;

  /** Between appends, so that they go on for most of a move. */
  private static final long BREATH_NANOS = 400_000;

  @TempDir Path root;

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final Semaphore appends = new Semaphore(APPENDS_PER_MOVE);
  private final Object change = new Object();
  private volatile boolean isOver;

  /** Known when the last appender has ended. */
  private volatile long appendedInAll = Long.MAX_VALUE;

  @ParameterizedTest
  @ValueSource(strings = {"page-cache", "fsync"})
  void nothing_is_lost(String durability) throws Exception {
    LogSettings settings =
        LogSettings.of(
            Map.of(
                "tidelog.durability", durability,
                "segment.bytes", "100000",
                "file.delete.delay.ms", "0"));
    ExecutorService pool = Executors.newCachedThreadPool();
    try (LogStore store = open(settings)) {
      PartitionLog log = store.create(Lab.ORDERS, Lab.ORDERS_ID, settings);
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < APPENDERS; i++) {
        counts.add(pool.submit(appender(log)));
      }
      Future<Long> read = pool.submit(reader(log));
      Future<Long> coldRead = pool.submit(coldReader(log));
      for (int i = 0; i < MOVES; i++) {
        move(store, root.resolve(i % 2 == 0 ? "second" : "first"));
      }
      isOver = true;
      long appended = 0;
      for (Future<Long> count : counts) {
        appended += count.get(60, TimeUnit.SECONDS);
      }
      tellReader(appended);
      assertThat(appended).isGreaterThan(MOVES);
      assertThat(log.view().end()).isEqualTo(appended);
      assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo(appended);
      assertThat(coldRead.get(60, TimeUnit.SECONDS)).isPositive();
      requireAll(log, appended);
      assertThat(events).isEmpty();
    } finally {
      isOver = true;
      pool.shutdownNow();
    }
    try (LogStore store = open(settings)) {
      PartitionLog log = store.find(Lab.ORDERS).orElseThrow();
      assertThat(log.directory().getParent()).isEqualTo(root.resolve("first"));
      requireAll(log, log.view().end());
    }
  }

  private LogStore open(LogSettings settings) throws IOException {
    return LogStore.open(
        List.of(root.resolve("first"), root.resolve("second")),
        new StoreSettings(partition -> settings, 3_000, 300_000, 60_000, 1),
        new Surroundings(
            new NioDisk(),
            InstantSource.system(),
            new SplittableRandom(3),
            ThreadScheduler.start(3, (sentence, cause) -> events.add(sentence + cause)),
            (kind, sentence) -> events.add(kind + " " + sentence)));
  }

  private void move(LogStore store, Path directory) throws InterruptedException {
    CountDownLatch moved = new CountDownLatch(1);
    appends.release(APPENDS_PER_MOVE);
    store.move(Lab.ORDERS, directory, moved::countDown);
    assertThat(moved.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(store.find(Lab.ORDERS).orElseThrow().directory().getParent()).isEqualTo(directory);
  }

  /** Appends until told to stop; how many it was. */
  private Callable<Long> appender(PartitionLog log) {
    return () -> {
      long count = 0;
      while (!isOver) {
        if (!appends.tryAcquire(10, TimeUnit.MILLISECONDS)) {
          continue;
        }
        Lab.append(log, SimClock.START_MS, "x".repeat(300));
        count++;
        LockSupport.parkNanos(BREATH_NANOS);
      }
      return count;
    };
  }

  private void tellReader(long end) {
    synchronized (change) {
      appendedInAll = end;
      change.notifyAll();
    }
  }

  /** Reads everything once, in order, waiting for what is not there yet. */
  private Callable<Long> reader(PartitionLog log) {
    return () -> {
      LogListener listener =
          changed -> {
            synchronized (change) {
              change.notifyAll();
            }
          };
      log.addListener(listener);
      long next = 0;
      while (next < appendedInAll) {
        synchronized (change) {
          if (next == log.view().highWatermark()) {
            change.wait(1_000);
            continue;
          }
        }
        next = readFrom(log, next);
      }
      log.removeListener(listener);
      return next;
    };
  }

  /** Reads anywhere, so that every segment's indexes are asked; how often. */
  private Callable<Long> coldReader(PartitionLog log) {
    return () -> {
      SplittableRandom random = new SplittableRandom(5);
      long reads = 0;
      while (!isOver) {
        long end = log.view().highWatermark();
        if (end > 0) {
          readFrom(log, random.nextLong(end));
          reads++;
        }
      }
      return reads;
    };
  }

  private static long readFrom(PartitionLog log, long offset) throws IOException {
    List<Lab.Entry> entries = new ArrayList<>();
    var slice = log.read(offset, 5_000, ReadUpTo.HIGH_WATERMARK);
    try {
      ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
      slice.read(bytes, 0);
      long next = Lab.addEntries(bytes.flip(), offset, entries);
      assertThat(entries.get(0).offset()).isEqualTo(offset);
      return next;
    } finally {
      slice.release();
    }
  }

  private static void requireAll(PartitionLog log, long end) throws IOException {
    List<Lab.Entry> entries = Lab.entries(log, 100_000);
    assertThat(entries).hasSize((int) end);
    for (int i = 0; i < end; i++) {
      assertThat(entries.get(i).offset()).isEqualTo(i);
    }
  }
}
