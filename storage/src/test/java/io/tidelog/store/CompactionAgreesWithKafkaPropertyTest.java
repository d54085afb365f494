package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.compaction.CompactionPlan;
import io.tidelog.disk.NioDisk;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.testkit.Property;
import io.tidelog.testkit.SimClock;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Again and again the same directory is compacted by Kafka's own cleaner and by ours: both say
 * alike whether and from where to where it is due, and leave the same segments, batches and
 * records. Each goes on with what the other left.
 */
class CompactionAgreesWithKafkaPropertyTest {
  private static final long DELETE_RETENTION_MS = 10_000;

  /** Room for few keys, so that one run takes several passes. */
  private static final CleanerSettings SMALL =
      new CleanerSettings(
          CleanerSettings.Schedule.ON_REQUEST, 1, 7 * 24, 0.75, 64, Double.MAX_VALUE, 15_000);

  private static final CleanerSettings LARGE =
      new CleanerSettings(
          CleanerSettings.Schedule.ON_REQUEST, 1, 1 << 20, 0.9, 8192, Double.MAX_VALUE, 15_000);

  @TempDir Path temporary;
  private int round;

  @Test
  void with_room_for_all_keys() {
    holds("compaction is Kafka's", LARGE, Map.of());
  }

  @Test
  void with_room_for_few_keys() {
    holds("compaction in several passes is Kafka's", SMALL, Map.of());
  }

  @Test
  void with_the_time_of_the_broker() {
    holds(
        "compaction is Kafka's with append time",
        LARGE,
        Map.of("message.timestamp.type", "LogAppendTime"));
  }

  @Test
  void with_lags() {
    holds(
        "compaction is Kafka's with lags",
        LARGE,
        Map.of("min.compaction.lag.ms", "3000", "max.compaction.lag.ms", "20000"));
  }

  private void holds(String claim, CleanerSettings cleaner, Map<String, String> more) {
    Property.<KeyedOp>named(claim)
        .runs(8)
        .operations(120, KeyedOp::random)
        .holds(operations -> new Life(cleaner, more).live(operations));
  }

  /** One partition's life. */
  private final class Life implements KeyedWriters.Written {
    private final Path data = Files.createDirectories(temporary.resolve("life" + round++));
    private final Path kafkas = data.resolve("kafkas");
    private final SimClock clock = new SimClock();
    private final KeyedWriters writers = new KeyedWriters(this);
    private final CleanerSettings cleaner;
    private final Map<String, String> settings;
    private Path ours = Files.createDirectories(data.resolve("ours"));
    private int hands;

    Life(CleanerSettings cleaner, Map<String, String> more) throws IOException {
      this.cleaner = cleaner;
      this.settings =
          new HashMap<>(
              Map.of(
                  "cleanup.policy", "compact",
                  "segment.bytes", "1200",
                  "index.interval.bytes", "200",
                  "segment.index.bytes", "4096",
                  "delete.retention.ms", "" + DELETE_RETENTION_MS,
                  "min.cleanable.dirty.ratio", "0.3",
                  "producer.id.expiration.ms", "" + Integer.MAX_VALUE));
      settings.putAll(more);
    }

    @Override
    public void record(long offset, String key, String value, long transaction) {}

    @Override
    public void ended(long transaction, Outcome outcome) {}

    void live(List<KeyedOp> operations) throws Exception {
      Lab lab = lab();
      for (KeyedOp operation : operations) {
        switch (operation.kind()) {
          case LATER -> clock.advanceMs(DELETE_RETENTION_MS * 2 / 3);
          case COMPACT -> {
            lab.orders();
            lab.close();
            compactBoth();
            lab = lab();
          }
          case PLAIN, IDEMPOTENT, TRANSACTIONAL, COMMIT, ABORT ->
              writers.does(operation, lab.orders(), clock);
        }
      }
      lab.orders();
      lab.close();
      compactBoth();
      clear(data);
    }

    private Lab lab() throws IOException {
      return Lab.open(new NioDisk(), ours, clock, settings, cleaner);
    }

    private void compactBoth() throws Exception {
      clear(kafkas);
      copy(ours, kafkas);
      CompactionPlan plan = compactOurs();
      compactKafkas(plan);
      assertThat(LogContentsAsKafkaReadsThem.of(ours.resolve("orders-0")))
          .isEqualTo(LogContentsAsKafkaReadsThem.of(kafkas.resolve("orders-0")));
      if (plan.dirtyBytes() > 0) {
        assertThat(cleanOffsets(ours)).isEqualTo(cleanOffsets(kafkas));
      }
      if (hands++ % 2 == 1) {
        clear(ours);
        copy(kafkas, ours);
      }
    }

    private CompactionPlan compactOurs() throws IOException {
      try (Lab lab = lab()) {
        CompactionPlan plan = lab.store.compactor().outlook(Lab.ORDERS).orElseThrow().plan();
        if (plan.dirtyBytes() > 0) {
          lab.compact();
        }
        assertThat(lab.store.compactor().uncleanable()).isEmpty();
        lab.scheduler.advanceMs(0);
        return plan;
      }
    }

    private void compactKafkas(CompactionPlan plan) throws Exception {
      KafkaTime time = new KafkaTime(clock::millis);
      try (KafkaLog log =
          KafkaLog.open(
              kafkas.resolve("orders-0"),
              Lab.ORDERS_ID,
              settings,
              new KafkaLog.Found(KafkaLog.Stop.CLEAN, 0),
              time)) {
        log.commitTo(log.end());
        KafkaCleaning cleaning = new KafkaCleaning(log, kafkas, time);
        Optional<LogToClean> due = cleaning.due();
        assertThat(plan.verdict().isDue()).isEqualTo(due.isPresent());
        due.ifPresent(
            found -> {
              assertThat(plan.firstDirtyOffset()).isEqualTo(found.firstDirtyOffset());
              assertThat(plan.firstUncleanableOffset()).isEqualTo(found.firstUncleanableOffset());
              assertThat(plan.cleanBytes()).isEqualTo(found.cleanBytes());
              assertThat(plan.dirtyBytes()).isEqualTo(found.cleanableBytes());
              assertThat(plan.dirtyRatio()).isEqualTo(found.cleanableRatio());
            });
        cleaning.clean(plan.firstDirtyOffset(), plan.firstUncleanableOffset(), cleaner);
        cleaning.close();
      }
    }

    private Map<?, Long> cleanOffsets(Path directory) throws IOException {
      return new OffsetCheckpoint(new NioDisk(), directory, OffsetCheckpoint.Kind.CLEANER).read();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void clear(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
    assertThat(directory).doesNotExist();
  }
}
