package io.tidelog.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.record.Compression;
import io.tidelog.retention.Verdict;
import io.tidelog.retention.Verdict.Reason;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Case H10 and its relatives: why each segment is still here. Each record fills a segment. */
class RetentionIsExplainedTest {
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

  @BeforeEach
  void open() throws IOException {
    disk.createDirectories(DATA);
    lab = Lab.open(disk, DATA, clock, settings);
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
    disk.close();
  }

  /** Segment A is normal, B holds a record dated one year ahead, C is normal; ten minutes pass. */
  private void appendABC() throws IOException {
    append(clock.millis());
    append(clock.millis() + YEAR_MS);
    append(clock.millis());
    clock.advanceMs(10 * MINUTE_MS);
  }

  private void append(long timestampMs) throws IOException {
    lab.orders().append(Produced.at(Compression.NONE, timestampMs), 0, AppendSource.CLIENT);
  }

  private List<RetentionExplanation.Answer> explain() throws IOException {
    return RetentionExplanation.of(
        PartitionOnDisk.find(disk, DATA, Lab.ORDERS), LogSettings.of(settings), clock.millis());
  }

  private static List<Reason> reasons(List<RetentionExplanation.Answer> answers) {
    return answers.stream().map(answer -> answer.verdict().reason()).toList();
  }

  @Test
  void the_report_of_why_nothing_goes_names_the_timestamp_from_the_future() throws IOException {
    long futureMs = clock.millis() + YEAR_MS;
    appendABC();

    List<RetentionExplanation.Answer> answers = explain();

    assertThat(reasons(answers)).containsExactly(Reason.TIME, Reason.YOUNG, Reason.TIME);
    assertThat(answers.get(1).verdict().decidingMs()).isEqualTo(futureMs);
    assertThat(answers.get(1).newest().orElseThrow().offset()).isEqualTo(1);
    assertThat(answers.get(1).goesAtMs()).isEqualTo(futureMs + MINUTE_MS + 1);
    assertThat(answers.get(1).why())
        .isEqualTo(
            "It stays: its newest record, offset 1 in the batch at byte 0, is dated %s, in 364 d 23 h, in the future; with retention.ms (1 min) its time comes %s, in 364 d 23 h."
                .formatted(
                    Instant.ofEpochMilli(futureMs),
                    Instant.ofEpochMilli(futureMs + MINUTE_MS + 1)));
    assertThat(answers.get(2).goesAtMs()).isEqualTo(futureMs + MINUTE_MS + 1);
    assertThat(answers.get(2).why())
        .contains(
            "waits for segment 1, whose newest record is dated " + Instant.ofEpochMilli(futureMs));
  }

  @Test
  void what_is_explained_is_what_happens() throws IOException {
    appendABC();
    lab.store.enforceRetention();
    assertThat(reasons(explain())).containsExactly(Reason.YOUNG, Reason.TIME);

    clock.advanceMs(explain().get(0).goesAtMs() - clock.millis() - 1);
    lab.store.enforceRetention();
    assertThat(explain()).hasSize(2);

    clock.advanceMs(1);
    lab.store.enforceRetention();
    assertThat(reasons(explain())).containsExactly(Reason.EMPTY);
  }

  @Test
  void size_removes_the_record_from_the_future_and_is_named() throws IOException {
    appendABC();
    long segmentBytes = explain().get(0).verdict().segment().sizeBytes();
    settings.put("retention.bytes", Long.toString(segmentBytes));
    assertThat(reasons(explain())).containsExactly(Reason.SIZE, Reason.SIZE, Reason.TIME);
    settings.put("retention.bytes", Long.toString(10 * segmentBytes));
    assertThat(explain().get(1).why())
        .endsWith(
            "It goes by size once %d more bytes are written (retention.bytes is %d)."
                .formatted(9 * segmentBytes, 10 * segmentBytes));
  }

  @Test
  void with_the_time_of_the_append_the_file_decides() throws IOException {
    settings.put("tidelog.retention.clock", "append");
    appendABC();
    assertThat(reasons(explain())).containsOnly(Reason.TIME);
    assertThat(explain().get(1).why()).contains("tidelog.retention.clock is append");
  }

  @Test
  void a_limit_that_is_off_and_a_policy_without_delete_are_named() throws IOException {
    appendABC();
    settings.put("retention.ms", "-1");
    assertThat(explain())
        .allSatisfy(
            answer -> {
              assertThat(answer.goesAtMs()).isEqualTo(Verdict.NEVER);
              assertThat(answer.why()).startsWith("It stays: retention.ms is -1");
            });
    settings.put("cleanup.policy", "compact");
    assertThat(explain().get(0).why()).contains("cleanup.policy is compact");
  }

  @Test
  void a_timestamp_at_the_end_of_time_never_comes() throws IOException {
    append(Long.MAX_VALUE);
    assertThat(explain().get(0).goesAtMs()).isEqualTo(Verdict.NEVER);
    assertThat(explain().get(0).why()).contains("no time will ever be late enough");
  }

  @Test
  void nothing_on_the_disk_is_touched() throws IOException {
    appendABC();
    long calls = disk.changes();
    explain();
    assertThat(disk.changes()).isEqualTo(calls);
  }
}
