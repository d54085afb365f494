package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.LogSlice;
import io.tidelog.log.OffsetAtTime;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case H17 at the engine: aborted and open transactions, read from every offset. */
class ReadCommittedTest {
  private static final Path DATA = Path.of("/data");
  private static final long T1 = 21;
  private static final long T2 = 22;
  private static final long T3 = 23;

  /**
   * Offset by offset; record n has the value "rn" of the n-th record sent, and the time START_MS
   * and its offset.
   */
  private static final Map<Long, String> ALL =
      new TreeMap<>(Map.of(0L, "r0", 1L, "r1", 2L, "r2", 4L, "r3", 5L, "r4", 7L, "r5", 8L, "r6"));

  private static final long FIRST_OF_T3 = 7;
  private static final AbortedTransaction ABORTED = new AbortedTransaction(T1, 0, 3, 2);

  private final Writers writers = new Writers();

  private Lab interleaved(SimDisk disk, String segmentBytes) throws IOException {
    disk.createDirectories(DATA);
    Lab lab = Lab.open(disk, DATA, Map.of("segment.bytes", segmentBytes));
    transactional(lab, T1); // 0
    plain(lab); // 1
    transactional(lab, T2); // 2
    end(lab, T1, Outcome.ABORT); // 3
    transactional(lab, T2); // 4
    plain(lab); // 5
    end(lab, T2, Outcome.COMMIT); // 6
    transactional(lab, T3); // 7
    plain(lab); // 8
    return lab;
  }

  private static long timeAt(Lab lab) throws IOException {
    return SimClock.START_MS + lab.orders().view().end();
  }

  private void transactional(Lab lab, long producer) throws IOException {
    writers.transactional(producer, 1, timeAt(lab)).to(lab.orders(), 0);
  }

  private void plain(Lab lab) throws IOException {
    writers.plain(1, timeAt(lab)).to(lab.orders(), 0);
  }

  private void end(Lab lab, long producer, Outcome outcome) throws IOException {
    lab.clock.advanceMs(timeAt(lab) - lab.clock.millis());
    lab.orders().appendMarker(writers.end(producer, outcome, TransactionProtocol.V1), 0);
  }

  private static Map<Long, String> between(long from, long to, long... without) {
    Map<Long, String> some = new TreeMap<>(ALL);
    some.keySet().removeIf(offset -> offset < from || offset >= to);
    for (long offset : without) {
      some.remove(offset);
    }
    return some;
  }

  @ParameterizedTest
  @ValueSource(strings = {"90", "200", "1000000"})
  void from_every_offset_with_small_and_large_reads(String segmentBytes) throws IOException {
    SimDisk disk = new SimDisk(1);
    try (Lab lab = interleaved(disk, segmentBytes)) {
      PartitionLog log = lab.orders();
      assertThat(log.view().stable()).isEqualTo(FIRST_OF_T3);
      for (int maxBytes : new int[] {1, 80, 160, 300, 1_000_000}) {
        for (long offset = 0; offset <= 9; offset++) {
          readCommitted(log, offset, maxBytes);
          readUncommitted(log, offset, maxBytes);
        }
      }
    }
    disk.close();
  }

  private static void readCommitted(PartitionLog log, long offset, int maxBytes)
      throws IOException {
    CommittedReader.Got got =
        CommittedReader.honest().fetch(log, offset, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
    assertThat(got.next()).isLessThanOrEqualTo(Math.max(offset, FIRST_OF_T3));
    assertThat(got.next() > offset).isEqualTo(offset < FIRST_OF_T3);
    assertThat(got.records()).isEqualTo(between(offset, got.next(), 0));
    LogSlice slice = log.read(offset, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
    assertThat(slice.aborted()).isEqualTo(offset <= 3 ? List.of(ABORTED) : List.of());
    slice.release();
  }

  private static void readUncommitted(PartitionLog log, long offset, int maxBytes)
      throws IOException {
    CommittedReader.Got got =
        CommittedReader.honest().fetch(log, offset, maxBytes, ReadUpTo.HIGH_WATERMARK);
    assertThat(got.next() > offset).isEqualTo(offset < 9);
    assertThat(got.records()).isEqualTo(between(offset, got.next()));
    LogSlice slice = log.read(offset, maxBytes, ReadUpTo.HIGH_WATERMARK);
    assertThat(slice.aborted()).isEmpty();
    slice.release();
  }

  @ParameterizedTest
  @ValueSource(strings = {"90", "1000000"})
  void no_time_query_answers_at_or_past_the_last_stable_offset(String segmentBytes)
      throws IOException {
    SimDisk disk = new SimDisk(1);
    try (Lab lab = interleaved(disk, segmentBytes)) {
      for (long offset = 0; offset < 10; offset++) {
        long time = SimClock.START_MS + offset;
        OffsetAtTime there = new OffsetAtTime(offset, time, 0);
        assertThat(lab.orders().offsetAtTime(time, ReadUpTo.LAST_STABLE_OFFSET))
            .isEqualTo(offset < FIRST_OF_T3 ? there : OffsetAtTime.NONE);
        assertThat(lab.orders().offsetAtTime(time, ReadUpTo.HIGH_WATERMARK))
            .isEqualTo(offset < 9 ? there : OffsetAtTime.NONE);
      }
    }
    disk.close();
  }

  @Test
  void when_the_open_one_commits_the_last_stable_offset_moves_at_once() throws IOException {
    SimDisk disk = new SimDisk(1);
    try (Lab lab = interleaved(disk, "200")) {
      PartitionLog log = lab.orders();
      long[] told = new long[1];
      log.addListener(moved -> told[0] = moved.view().stable());
      end(lab, T3, Outcome.COMMIT);
      assertThat(told[0]).isEqualTo(10);
      assertThat(
              CommittedReader.honest()
                  .fetch(log, 7, 1_000_000, ReadUpTo.LAST_STABLE_OFFSET)
                  .records())
          .containsEntry(7L, "r5");
    }
    disk.close();
  }
}
