package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimDisk;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The power goes at every disk call while each change is followed by a snapshot. */
class SnapshotsCrashTest {
  private static final Map<String, String> EACH_CHANGE =
      Map.of("metadata.log.max.record.bytes.between.snapshots", "1");

  @Test
  void what_was_answered_before_a_power_cut_holds_after_it() throws Exception {
    long cuts =
        CrashSweep.<String>of(SnapshotsCrashTest::change)
            .startingWith(disk -> TestTopics.start(disk).close())
            .seeds(3)
            .afterEachCut(SnapshotsCrashTest::check);
    assertThat(cuts).isGreaterThan(60);
  }

  @Test
  void a_disk_that_fails_once_loses_nothing_that_was_answered() throws Exception {
    long calls =
        CrashSweep.<String>of(SnapshotsCrashTest::change)
            .startingWith(disk -> TestTopics.start(disk).close())
            .afterEachFailure(SnapshotsCrashTest::check);
    assertThat(calls).isGreaterThan(60);
  }

  private static void change(SimDisk disk, Consumer<String> acknowledge) throws Exception {
    try (TestTopics topics = TestTopics.start(disk, EACH_CHANGE)) {
      for (String name : List.of("first", "second", "third")) {
        try {
          topics.create(NewTopic.named(name));
          acknowledge.accept(name);
        } catch (org.apache.kafka.common.errors.KafkaStorageException refused) {
          // Nothing was promised.
        }
      }
    }
  }

  private static void check(SimDisk disk, List<String> acknowledged) throws Exception {
    try (TestTopics topics = TestTopics.start(disk, EACH_CHANGE)) {
      assertThat(topics.topics().all()).extracting(Topic::name).containsAll(acknowledged);
      topics.create(NewTopic.named("later"));
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().all()).extracting(Topic::name).containsAll(acknowledged);
      assertThat(topics.topics().find("later")).isPresent();
    }
  }
}
