package io.tidelog.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.compaction.CompactionPlan.DirtyFrom;
import io.tidelog.compaction.CompactionPlan.Limit;
import io.tidelog.compaction.CompactionPlan.Verdict;
import io.tidelog.explain.CompactionExplanation.Answer;
import io.tidelog.explain.CompactionExplanation.OfSegment;
import io.tidelog.explain.CompactionExplanation.State;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.store.Damage;
import io.tidelog.store.Lab;
import io.tidelog.store.Writers;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is said of a log's compaction is what compaction then does. Each batch fills a segment, and
 * the last one is still written to.
 */
class CompactionIsExplainedTest {
  private static final Path DATA = Path.of("/data");
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final int KEYS = 8;

  private final SimClock clock = new SimClock();
  private final SimDisk disk = new SimDisk(1, clock);
  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "cleanup.policy", "compact",
              "segment.bytes", "100",
              "delete.retention.ms", Long.toString(HOUR_MS),
              "min.cleanable.dirty.ratio", "0.5"));
  private Lab lab;

  @BeforeEach
  void create() throws IOException {
    disk.createDirectories(DATA);
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
    disk.close();
  }

  private void open() throws IOException {
    lab = Lab.open(disk, DATA, clock, settings);
  }

  private void append(String... keyed) throws IOException {
    for (String each : keyed) {
      Lab.append(lab.orders(), clock.millis(), each);
    }
  }

  private void delete(String key) throws IOException {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      ByteBuffer bytes = ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
      lab.orders()
          .append(
              Lab.copy(
                  new RecordBatchWriter(codecs)
                      .begin()
                      .append(clock.millis(), bytes, null)
                      .finish()),
              0,
              AppendSource.CLIENT);
    }
  }

  private Answer explain() throws IOException {
    return explainAt(clock.millis());
  }

  private Answer explainAt(long nowMs) throws IOException {
    return CompactionExplanation.of(
        PartitionOnDisk.find(disk, DATA, Lab.ORDERS), LogSettings.of(settings), nowMs);
  }

  private static long going(Answer answer) {
    return answer.segments().stream()
        .flatMap(segment -> segment.contents().stream())
        .mapToLong(CompactionExplanation.Contents::goes)
        .sum();
  }

  private static List<State> states(Answer answer) {
    return answer.segments().stream().map(OfSegment::state).toList();
  }

  @Test
  void a_log_that_is_due_is_told_with_its_ratio_and_what_goes() throws IOException {
    open();
    append("a:1", "b:1", "a:2", "c:1");

    Answer due = explain();

    assertThat(due.plan().verdict()).isEqualTo(Verdict.DUE_BY_RATIO);
    assertThat(due.plan().from()).isEqualTo(DirtyFrom.NEVER_COMPACTED);
    assertThat(due.plan().limit()).isEqualTo(Limit.ACTIVE_SEGMENT);
    assertThat(due.notBeforeMs()).hasValue(clock.millis());
    assertThat(due.isComplete()).isTrue();
    assertThat(due.why())
        .startsWith("It is due: ")
        .contains("a share of 1.000, more than min.cleanable.dirty.ratio (0.5).")
        .contains("Segment 3 stays as it is: it is still written to, until ");
    assertThat(states(due)).containsExactly(State.DIRTY, State.DIRTY, State.DIRTY, State.STAYS);
    assertThat(due.segments().get(0).why()).isEqualTo("1 of 1 records go with the next run.");
    assertThat(going(due)).isEqualTo(1);

    lab.compact();
    Answer done = explain();
    assertThat(done.plan().verdict()).isEqualTo(Verdict.NOTHING_DIRTY);
    assertThat(done.plan().from()).isEqualTo(DirtyFrom.CHECKPOINT);
    assertThat(done.plan().firstDirtyOffset()).isEqualTo(3);
    assertThat(done.notBeforeMs()).isEmpty();
    assertThat(going(done)).isZero();
    assertThat(states(done)).startsWith(State.CLEAN).endsWith(State.STAYS);

    append("a:3", "d:1");
    Answer waiting = explain();
    assertThat(waiting.plan().verdict()).isEqualTo(Verdict.NOT_DIRTY_ENOUGH);
    assertThat(waiting.why())
        .contains("It waits: ", " more dirty bytes in closed segments make it due.");
    assertThat(waiting.notBeforeMs()).isEmpty();
    assertThat(going(waiting)).isEqualTo(1);
  }

  @Test
  void what_is_said_to_go_is_what_goes() throws IOException {
    for (int seed = 0; seed < 5; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      try (SimDisk other = new SimDisk(seed, clock)) {
        other.createDirectories(DATA);
        lab = Lab.open(other, DATA, clock, settings);
        for (int run = 0; run < 3; run++) {
          for (int i = 0; i < 30; i++) {
            String key = "k" + random.nextInt(KEYS);
            if (random.nextInt(4) == 0) {
              delete(key);
            } else {
              append(key + ":" + i);
            }
          }
          Answer told =
              CompactionExplanation.of(
                  PartitionOnDisk.find(other, DATA, Lab.ORDERS),
                  LogSettings.of(settings),
                  clock.millis());
          int before = Lab.entries(lab.orders(), 4096).size();
          lab.compact();
          assertThat(before - Lab.entries(lab.orders(), 4096).size())
              .as("seed %d, run %d", seed, run)
              .isEqualTo((int) going(told));
          assertThat(going(told)).isPositive();
          clock.advanceMs(2 * HOUR_MS * random.nextInt(2));
        }
        lab.close();
      }
    }
    open();
  }

  @Test
  void a_tombstone_is_told_with_the_time_from_which_on_it_goes() throws IOException {
    open();
    append("a:1");
    delete("a");
    append("b:1");
    Answer undated = explain();
    assertThat(undated.segments().get(1).why())
        .contains(
            "1 tombstones and markers have no delete horizon yet", "delete.retention.ms (1 h)");
    lab.compact();
    long horizonMs = clock.millis() + HOUR_MS;

    Answer dated = explain();
    assertThat(going(dated)).isZero();
    CompactionExplanation.Contents contents = dated.segments().get(1).contents().orElseThrow();
    assertThat(contents.tombstones()).isEqualTo(1);
    assertThat(contents.firstHorizonMs()).hasValue(horizonMs);
    assertThat(contents.lastHorizonMs()).hasValue(horizonMs);
    assertThat(dated.segments().get(1).why()).contains("go with a run after ", "(in 1 h).");
    assertThat(going(explainAt(horizonMs - 1))).isZero();
    assertThat(going(explainAt(horizonMs))).isEqualTo(1);
  }

  @Test
  void young_records_are_told_with_the_time_when_they_are_old_enough() throws IOException {
    settings.put("min.compaction.lag.ms", Long.toString(HOUR_MS));
    open();
    append("a:1", "a:2", "a:3");
    Answer young = explain();
    assertThat(young.plan().verdict()).isEqualTo(Verdict.NOTHING_DIRTY);
    assertThat(young.plan().limit()).isEqualTo(Limit.MIN_COMPACTION_LAG);
    assertThat(young.notBeforeMs()).hasValue(clock.millis() + HOUR_MS);
    assertThat(young.why()).contains("younger than min.compaction.lag.ms (1 h) until ", "in 1 h.");
    long then = young.notBeforeMs().getAsLong();
    assertThat(explainAt(then - 1).plan().limit()).isEqualTo(Limit.MIN_COMPACTION_LAG);
    assertThat(explainAt(then).plan().verdict()).isEqualTo(Verdict.DUE_BY_RATIO);
  }

  @Test
  void old_records_are_told_with_the_time_when_they_are_overdue() throws IOException {
    settings.put("max.compaction.lag.ms", Long.toString(HOUR_MS));
    settings.put("min.cleanable.dirty.ratio", "1");
    open();
    append("a:1", "a:2", "a:3");
    Answer waiting = explain();
    assertThat(waiting.plan().verdict()).isEqualTo(Verdict.NOT_DIRTY_ENOUGH);
    assertThat(waiting.why()).contains("max.compaction.lag.ms (1 h) does at ");
    long then = waiting.notBeforeMs().getAsLong();
    assertThat(explainAt(then - 1).plan().verdict()).isEqualTo(Verdict.NOT_DIRTY_ENOUGH);
    Answer overdue = explainAt(then);
    assertThat(overdue.plan().verdict()).isEqualTo(Verdict.DUE_BY_AGE);
    assertThat(overdue.why()).startsWith("It is due: a dirty record is past max.compaction.lag.ms");
  }

  @Test
  void an_open_transaction_keeps_what_follows_as_it_is() throws IOException {
    settings.put("cleanup.policy", "delete"); // its record has no key
    open();
    append("a:1", "a:2");
    new Writers().transactional(21, 1, clock.millis()).to(lab.orders(), 0);
    append("a:3", "a:4");
    settings.put("cleanup.policy", "compact");
    Answer held = explain();
    assertThat(held.plan().limit()).isEqualTo(Limit.LAST_STABLE_OFFSET);
    assertThat(held.plan().firstUncleanableOffset()).isEqualTo(2);
    assertThat(held.why()).contains("(tidelog explain lso orders-0)");
    assertThat(held.segments().get(2).why()).startsWith("It stays as it is: a transaction is open");
  }

  @Test
  void damage_that_a_run_stops_at_is_told_with_file_and_position() throws IOException {
    open();
    append("a:1", "a:2", "a:3");
    lab.close();
    Path log = DATA.resolve("orders-0/00000000000000000001.log");
    new Damage(disk).write(log, 65, (byte) 0x55);
    Answer damaged = explain();
    assertThat(damaged.damage()).isPresent();
    assertThat(damaged.damage().get().file()).isEqualTo(log);
    assertThat(damaged.damage().get().part().from()).isZero();
    assertThat(damaged.why()).contains("A run stops at damage", log + " at byte 0: ");
    open();
    lab.harmed();
  }

  @Test
  void a_log_with_another_policy_is_told_as_such() throws IOException {
    settings.put("cleanup.policy", "delete");
    open();
    append("a:1", "a:2");
    Answer answer = explain();
    assertThat(answer.why()).startsWith("It is not compacted: cleanup.policy is delete.");
    assertThat(answer.notBeforeMs()).isEqualTo(OptionalLong.empty());
  }
}
