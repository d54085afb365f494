package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.producer.ProducerStateException;
import io.tidelog.segment.Segment;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A log that is cut is as if what was cut had never been appended: offsets, searches, leader epochs
 * and producers.
 */
class TruncationTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Produced.Producer PRODUCER = new Produced.Producer(4711, (short) 0);
  private static final int BATCHES = 12;
  private static final int RECORDS = 3;

  private final SimDisk disk = new SimDisk(1);
  private Lab lab;

  @AfterEach
  void close() throws IOException {
    lab.close();
    disk.close();
  }

  /** Twelve batches of three records, each two in a leader epoch of their own. */
  private PartitionLog written(String segmentBytes) throws IOException {
    disk.createDirectories(DATA);
    PartitionLog log = open(segmentBytes);
    for (int batch = 0; batch < BATCHES; batch++) {
      append(log, batch);
    }
    return log;
  }

  private PartitionLog open(String segmentBytes) throws IOException {
    lab =
        Lab.open(disk, DATA, Map.of("segment.bytes", segmentBytes, "index.interval.bytes", "100"));
    return lab.orders();
  }

  private static Appended append(PartitionLog log, int batch) throws IOException {
    return log.append(
        Produced.by(PRODUCER, RECORDS * batch, SimClock.START_MS + batch % 5, RECORDS),
        batch / 2,
        AppendSource.CLIENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"100000", "300"})
  void at_any_offset_the_whole_batches_below_it_are_left(String segmentBytes) throws IOException {
    PartitionLog log = written(segmentBytes);
    for (long offset = BATCHES * RECORDS; offset >= 0; offset--) {
      log.truncateTo(offset);
      int left = (int) offset / RECORDS;
      isAsIfOnlyThese(log, left);
    }
    lab.close();
    log = open(segmentBytes);
    assertThat(log.view().end()).isZero();
    assertThat(append(log, 0).baseOffset()).isZero();
    assertThat(lab.events).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"100000", "300"})
  void what_is_appended_afterwards_takes_the_place_of_what_was_cut(String segmentBytes)
      throws IOException {
    PartitionLog log = written(segmentBytes);
    for (int left = BATCHES - 1; left >= 0; left -= 3) {
      log.truncateTo((long) left * RECORDS);
      for (int batch = left; batch < BATCHES; batch++) {
        Appended appended = append(log, batch);
        assertThat(appended.duplicate()).isFalse();
        assertThat(appended.baseOffset()).isEqualTo((long) batch * RECORDS);
      }
      isAsIfOnlyThese(log, BATCHES);
    }
    lab.close();
    isAsIfOnlyThese(open(segmentBytes), BATCHES);
    assertThat(lab.events).isEmpty();
  }

  @Test
  void the_files_of_segments_that_were_cut_are_renamed_and_go_later() throws IOException {
    PartitionLog log = written("300");
    log.truncateTo(RECORDS);
    assertThat(disk.list(FOLDER)).filteredOn(name -> name.endsWith(".log")).hasSize(1);
    assertThat(disk.list(FOLDER)).anyMatch(name -> name.endsWith(".log.deleted"));
    lab.scheduler.advanceMs(60_000);
    assertThat(disk.list(FOLDER)).noneMatch(name -> name.endsWith(".deleted"));
  }

  /** What was deleted is neither shown nor numbered again, and the file ends where the log does. */
  @Test
  void inside_of_the_batch_that_holds_the_start_the_log_goes_on_there_in_a_new_segment()
      throws IOException {
    PartitionLog log = written("100000");
    log.advanceStart(RECORDS + 1);
    log.truncateTo(RECORDS + 2);
    assertThat(log.view().end()).isEqualTo(log.view().start()).isEqualTo(RECORDS + 1);
    assertThat(log.segments()).last().extracting(Segment::baseOffset).isEqualTo(RECORDS + 1L);
    lab.close();
    log = open("100000");
    assertThat(lab.events).isEmpty();
    assertThat(Lab.append(log, SimClock.START_MS, "next").baseOffset()).isEqualTo(RECORDS + 1);
    assertThat(Lab.values(log)).containsExactly("next");
  }

  @Test
  void a_slice_of_what_is_left_goes_on_reading() throws IOException {
    PartitionLog log = written("100000");
    LogSlice slice = log.read(0, 100, ReadUpTo.LOG_END);
    log.truncateTo(RECORDS);
    java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate(slice.sizeBytes());
    assertThat(slice.read(bytes, 0)).isEqualTo(slice.sizeBytes());
    slice.release();
  }

  @Test
  void below_the_start_offset_it_is_refused_and_past_the_end_it_does_nothing() throws IOException {
    PartitionLog log = written("100000");
    log.advanceStart(10);
    assertThatThrownBy(() -> log.truncateTo(9)).isInstanceOf(OffsetOutOfRangeException.class);
    log.truncateTo(BATCHES * RECORDS);
    log.truncateTo(Long.MAX_VALUE);
    assertThat(log.view().end()).isEqualTo(BATCHES * RECORDS);
    log.truncateTo(10);
    assertThat(log.view().start()).isEqualTo(10);
    assertThat(log.view().end()).isEqualTo(10);
    assertThat(append(log, 3).baseOffset()).isEqualTo(10);
    lab.close();
    assertThat(open("100000").view().start()).isEqualTo(10);
    assertThat(lab.orders().view().end()).isEqualTo(13);
  }

  @Test
  void the_last_stable_offset_moves_on_when_the_open_transaction_is_cut() throws IOException {
    PartitionLog log = written("100000");
    Produced.Producer other = new Produced.Producer(42, (short) 0);
    Produced.beginTransaction(log, other, 5, SimClock.START_MS);
    append(log, BATCHES);
    assertThat(log.view().stable()).isEqualTo(BATCHES * RECORDS);
    assertThat(log.view().highWatermark()).isEqualTo(log.view().end());
    log.truncateTo(BATCHES * RECORDS + 1);
    assertThat(log.view().stable()).isEqualTo(BATCHES * RECORDS);
    assertThat(log.view().highWatermark()).isEqualTo(BATCHES * RECORDS + 1);
    log.truncateTo(BATCHES * RECORDS);
    assertThat(append(log, BATCHES).baseOffset()).isEqualTo(BATCHES * RECORDS);
    assertThat(log.view().stable()).isEqualTo(log.view().end());
  }

  /** A log with these batches looks and behaves so. */
  private void isAsIfOnlyThese(PartitionLog log, int batches) throws IOException {
    long end = (long) batches * RECORDS;
    assertThat(log.view().end()).isEqualTo(end);
    assertThat(log.view().highWatermark()).isEqualTo(end);
    assertThat(log.view().stable()).isEqualTo(end);
    FullScan scan = FullScan.of(disk, FOLDER);
    assertThat(scan.batches()).hasSize(batches);
    scan.agreesWith(log);
    assertThat(log.latestEpoch()).isEqualTo(batches == 0 ? -1 : (batches - 1) / 2);
    for (int epoch = 0; epoch < BATCHES; epoch++) {
      boolean isKnown = epoch <= log.latestEpoch();
      assertThat(log.endOfEpoch(epoch))
          .isEqualTo(
              isKnown
                  ? new EpochEnd(epoch, Math.min(end, 2L * RECORDS * (epoch + 1)))
                  : EpochEnd.UNKNOWN);
    }
    knowsItsProducer(log, batches);
  }

  private static void knowsItsProducer(PartitionLog log, int batches) throws IOException {
    if (batches > 0) {
      assertThat(append(log, batches - 1).duplicate()).isTrue();
      assertThatThrownBy(() -> append(log, batches + 1)).isInstanceOf(ProducerStateException.class);
    } else {
      assertThat(log.activeProducers()).isEmpty();
    }
  }
}
