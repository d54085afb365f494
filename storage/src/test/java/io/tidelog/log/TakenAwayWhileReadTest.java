package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Meanwhile;
import io.tidelog.store.WatchedDisk;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a reader looks at may be taken away at any of its disk calls. The reader gets the records,
 * or hears that they are no longer there; never an error of the disk. And it leaves no trace.
 */
class TakenAwayWhileReadTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final int RECORDS = 24;
  private static final long WANTED = 9;
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "600", "index.interval.bytes", "100");

  private static SimDisk written;

  /** How a segment goes, or another comes. */
  private enum Way {
    RETENTION {
      @Override
      void take(Lab lab) throws IOException {
        lab.orders().dropSegmentsBelow(RECORDS);
        lab.scheduler.advanceMs(60_000);
      }
    },
    TRUNCATION_BEFORE_IT {
      @Override
      void take(Lab lab) throws IOException {
        lab.orders().truncateTo(2);
        lab.scheduler.advanceMs(60_000);
      }
    },
    TRUNCATION_WITHIN_IT {
      @Override
      void take(Lab lab) throws IOException {
        lab.orders().truncateTo(WANTED);
        Lab.append(lab.orders(), SimClock.START_MS, "another");
        lab.scheduler.advanceMs(60_000);
      }
    },
    APPENDS_THAT_ROLL {
      @Override
      void take(Lab lab) throws IOException {
        for (int i = RECORDS; i < RECORDS + 20; i++) {
          Lab.append(lab.orders(), time(i), "value " + i);
        }
      }
    },
    DELETION {
      @Override
      void take(Lab lab) throws IOException {
        lab.store.delete(Lab.ORDERS);
        lab.scheduler.advanceMs(60_000);
      }
    };

    abstract void take(Lab lab) throws IOException;
  }

  /** How a reader looks for the wanted record. */
  private enum Look {
    BY_OFFSET {
      @Override
      Object find(PartitionLog log) throws IOException {
        LogSlice slice = log.read(WANTED, 1, ReadUpTo.LOG_END);
        ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
        boolean isWhole = slice.read(bytes, 0) == slice.sizeBytes();
        slice.release();
        List<Lab.Entry> entries = new ArrayList<>();
        if (isWhole) {
          Lab.addEntries(bytes.flip(), WANTED, entries);
        }
        return entries;
      }
    },
    BY_TIME {
      @Override
      Object find(PartitionLog log) throws IOException {
        return log.offsetAtTime(time(WANTED), ReadUpTo.LOG_END);
      }
    },
    LATEST_TIME {
      @Override
      Object find(PartitionLog log) throws IOException {
        return log.offsetOfMaxTimestamp();
      }
    };

    abstract Object find(PartitionLog log) throws IOException;
  }

  @BeforeAll
  static void write() throws IOException {
    written = new SimDisk(1);
    written.createDirectories(DATA);
    try (Lab lab = Lab.open(written, DATA, SETTINGS)) {
      for (int i = 0; i < RECORDS; i++) {
        Lab.append(lab.orders(), time(i), "value " + i);
      }
      assertThat(lab.orders().segments()).hasSizeGreaterThan(2);
    }
  }

  private static long time(long offset) {
    return SimClock.START_MS - 1000 + offset;
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void the_reader_gets_the_records_or_hears_that_they_are_gone(Way way) throws Exception {
    for (Look look : Look.values()) {
      int call = 1;
      while (takenAtCall(call, way, look)) {
        call++;
      }
      assertThat(call).as("disk calls of %s", look).isGreaterThan(3);
    }
  }

  /** Takes the segment away at the n-th disk call of a look; whether there were so many. */
  private static boolean takenAtCall(int call, Way way, Look look) throws Exception {
    SimDisk sim = written.restart(1);
    WatchedDisk disk = new WatchedDisk(sim);
    Meanwhile other = new Meanwhile();
    String what = "%s with %s at disk call %d".formatted(look, way, call);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      PartitionLog log = lab.orders();
      AtomicLong callsLeft = new AtomicLong(call);
      disk.watch(
          (called, bytes) -> {
            if (callsLeft.decrementAndGet() == 0) {
              other.start(() -> way.take(lab));
            }
          });
      try {
        look.find(log);
      } catch (OffsetOutOfRangeException | LogClosedException gone) {
        assertThat(other.isStarted()).isTrue();
      } catch (IOException e) {
        throw new AssertionError(what, e);
      }
      if (!other.isStarted()) {
        return false;
      }
      other.join();
      assertThat(lab.events).as(what).isEmpty();
      disk.watch((called, bytes) -> {});
      if (way != Way.DELETION) {
        FullScan.of(disk, FOLDER).agreesWith(log);
      }
    }
    sim.close();
    isSound(sim, what);
    return true;
  }

  private static void isSound(SimDisk disk, String what) throws IOException {
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      FullScan.of(disk, lab.orders().directory()).agreesWith(lab.orders());
      assertThat(lab.events).as(what).isEmpty();
      assertThat(disk.list(FOLDER)).noneMatch(name -> name.endsWith(".deleted"));
    }
  }
}
