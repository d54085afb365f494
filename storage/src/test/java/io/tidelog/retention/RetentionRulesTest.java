package io.tidelog.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Which segments retention drops. Each batch fills a segment of its own, so that a segment is named
 * by the offset of its record.
 */
class RetentionRulesTest {
  private static final Path DATA = Path.of("/data");
  private static final long MINUTE_MS = 60_000;
  private static final long YEAR_MS = 365L * 24 * 60 * MINUTE_MS;

  private final SimClock clock = new SimClock();
  private final SimDisk disk = new SimDisk(1, clock);
  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "segment.bytes", "100",
              "retention.ms", Long.toString(MINUTE_MS),
              "message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE)));
  private Lab lab;

  @AfterEach
  void close() throws IOException {
    lab.close();
    disk.close();
  }

  @Test
  void a_record_from_the_future_keeps_its_segment_and_all_after_it() throws IOException {
    appendAged(0, -YEAR_MS, 0);
    lab.scheduler.advanceMs(10 * MINUTE_MS);
    assertThat(keptAfterRetention()).containsExactly(1L, 2L);
    assertThat(lab.events).singleElement().asString().contains("orders-0").contains("TIME");
  }

  @Test
  void by_the_time_of_the_append_a_record_from_the_future_goes_too() throws IOException {
    settings.put("tidelog.retention.clock", "append");
    appendAged(0, -YEAR_MS);
    lab.scheduler.advanceMs(10 * MINUTE_MS);
    append(0);
    assertThat(keptAfterRetention()).containsExactly(2L);
  }

  @Test
  void size_drops_the_oldest_segments_whatever_their_time() throws IOException {
    settings.put("retention.ms", "-1");
    appendAged(0, -YEAR_MS, 0, 0);
    long bytes = lab.orders().sizeBytes();
    retainBytes(bytes);
    assertThat(keptAfterRetention()).containsExactly(0L, 1L, 2L, 3L);
    retainBytes(bytes - bytes / 4 + 1);
    assertThat(keptAfterRetention()).containsExactly(0L, 1L, 2L, 3L);
    retainBytes(bytes - bytes / 4);
    assertThat(keptAfterRetention()).containsExactly(1L, 2L, 3L);
    retainBytes(bytes / 2);
    assertThat(keptAfterRetention()).containsExactly(2L, 3L);
  }

  @Test
  void size_zero_drops_all_and_the_log_goes_on_at_its_end() throws IOException {
    appendAged(0, 0, 0);
    retainBytes(0);
    assertThat(keptAfterRetention()).containsExactly(3L);
    assertThat(lab.orders().view().start()).isEqualTo(3);
    append(0);
    assertThat(lab.orders().view().end()).isEqualTo(4);
  }

  @Test
  void deleteRecords_lets_the_segments_go_that_lie_wholly_below_the_new_start() throws IOException {
    settings.put("retention.ms", "-1");
    appendAged(0, 0, 0, 0);
    lab.orders().advanceStart(2);
    assertThat(keptAfterRetention()).containsExactly(2L, 3L);
    lab.orders().advanceStart(4);
    assertThat(keptAfterRetention()).containsExactly(3L);
    assertThat(lab.orders().view().start()).isEqualTo(4);
  }

  @Test
  void without_delete_in_the_policy_only_deleteRecords_drops_segments() throws IOException {
    settings.put("cleanup.policy", "compact");
    settings.put("retention.bytes", "0");
    open();
    PartitionLog log = lab.orders();
    for (int i = 0; i < 4; i++) {
      Lab.append(log, SimClock.START_MS, "key:a value that fills it");
    }
    lab.scheduler.advanceMs(10 * MINUTE_MS);
    assertThat(keptAfterRetention()).containsExactly(0L, 1L, 2L, 3L);
    log.advanceStart(1);
    assertThat(keptAfterRetention()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void with_both_limits_off_nothing_goes() throws IOException {
    settings.put("retention.ms", "-1");
    appendAged(YEAR_MS, YEAR_MS);
    clock.advanceMs(YEAR_MS);
    assertThat(keptAfterRetention()).containsExactly(0L, 1L);
  }

  @Test
  void records_older_than_everything_go_and_harm_nothing() throws IOException {
    open();
    append(SimClock.START_MS);
    append(SimClock.START_MS - 1);
    assertThat(keptAfterRetention()).containsExactly(2L);
    append(0);
    assertThat(lab.orders().view().start()).isEqualTo(2);
    assertThat(Lab.values(lab.orders())).containsExactly("at " + SimClock.START_MS);
  }

  @Test
  void records_without_a_time_are_as_old_as_their_file() throws IOException {
    open();
    append(SimClock.START_MS + 1);
    append(SimClock.START_MS + 1);
    lab.scheduler.advanceMs(MINUTE_MS);
    assertThat(keptAfterRetention()).containsExactly(0L, 1L);
    lab.scheduler.advanceMs(1);
    assertThat(keptAfterRetention()).containsExactly(2L);
  }

  @Test
  void a_time_too_far_ahead_is_refused_if_the_topic_says_so() throws IOException {
    settings.put("message.timestamp.after.max.ms", "3600000");
    open();
    assertThatThrownBy(() -> append(-YEAR_MS))
        .isInstanceOfSatisfying(
            InvalidBatchException.class,
            refused ->
                assertThat(refused.reason())
                    .isEqualTo(InvalidBatchException.Reason.INVALID_TIMESTAMP));
    assertThat(lab.orders().view().end()).isZero();
    append(-3_600_000);
    assertThat(lab.orders().view().end()).isEqualTo(1);
  }

  @Test
  void the_active_segment_goes_too_once_all_its_records_are_old_and_not_before()
      throws IOException {
    settings.put("segment.bytes", "100000");
    appendAged(0, 0, -1);
    lab.scheduler.advanceMs(MINUTE_MS);
    assertThat(keptAfterRetention()).containsExactly(0L);
    lab.scheduler.advanceMs(2);
    assertThat(keptAfterRetention()).containsExactly(3L);
    lab.scheduler.advanceMs(10 * MINUTE_MS);
    assertThat(keptAfterRetention()).as("an empty segment stays").containsExactly(3L);
  }

  @Test
  void nothing_goes_that_is_not_below_the_high_watermark() throws IOException {
    settings.put("tidelog.durability", "fsync");
    settings.put("retention.bytes", "0");
    appendAged(YEAR_MS, YEAR_MS);
    assertThat(lab.orders().view().highWatermark()).isZero();
    lab.store.enforceRetention();
    assertThat(kept()).containsExactly(0L, 1L);
    lab.scheduler.runDue();
    assertThat(lab.orders().view().highWatermark()).isEqualTo(2);
    assertThat(keptAfterRetention()).containsExactly(2L);
  }

  private void open() throws IOException {
    disk.createDirectories(DATA);
    lab = Lab.open(disk, DATA, clock, settings);
  }

  /** Opens the log and appends records of these ages, in milliseconds. */
  private void appendAged(long... agesMs) throws IOException {
    open();
    for (long ageMs : agesMs) {
      append(ageMs);
    }
  }

  private void append(long ageMs) throws IOException {
    lab.orders()
        .append(Produced.at(Compression.NONE, lab.clock.millis() - ageMs), 0, AppendSource.CLIENT);
  }

  private void retainBytes(long bytes) throws IOException {
    Map<String, String> values = new HashMap<>(settings);
    values.put("retention.bytes", Long.toString(bytes));
    lab.orders().apply(LogSettings.of(values));
  }

  /** Base offsets of the segments that are left. */
  private List<Long> keptAfterRetention() throws IOException {
    lab.store.enforceRetention();
    return kept();
  }

  private List<Long> kept() throws IOException {
    return lab.orders().segments().stream().map(segment -> segment.baseOffset()).toList();
  }
}
