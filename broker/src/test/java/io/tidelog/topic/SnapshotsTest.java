package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
  private static final Path FOLDER = TestTopics.DATA.resolve("__cluster_metadata-0");
  private static final Map<String, String> EACH_CHANGE =
      Map.of("metadata.log.max.record.bytes.between.snapshots", "1");

  private final SimDisk disk = new SimDisk(11);
  private final SimClock clock = new SimClock();

  @Test
  void a_snapshot_takes_the_place_of_the_log_and_of_the_snapshot_before_it() throws IOException {
    try (TestTopics topics = TestTopics.start(disk, EACH_CHANGE)) {
      topics.create(NewTopic.named("orders").withPartitions(3));
      topics.create(NewTopic.named("other").withConfigs(Map.of("retention.ms", "99")));
    }
    assertThat(files(".checkpoint")).hasSize(1);
    String end = files(".checkpoint").get(0).substring(0, 20);
    assertThat(files(".log")).containsExactly(end + ".log");
    assertThat(disk.sizeBytes(FOLDER.resolve(end + ".log"))).isZero();
  }

  @Test
  void what_is_read_back_from_a_snapshot_and_a_log_is_what_was_there() throws IOException {
    MetadataImage before;
    try (TestTopics topics = TestTopics.start(disk, EACH_CHANGE)) {
      topics.create(NewTopic.named("orders").withPartitions(3));
      topics.delete(topics.create(NewTopic.named("gone")));
      assertThat(topics.topics().nextProducerId().join()).isZero();
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("other").withConfigs(Map.of("retention.ms", "99")));
      before = topics.topics().image();
    }
    assertThat(files(".checkpoint")).hasSize(1);
    try (TestTopics topics = TestTopics.start(disk)) {
      MetadataImage after = topics.topics().image();
      assertThat(after.features()).isEqualTo(before.features());
      assertThat(after.topics()).isEqualTo(before.topics());
      assertThat(after.configs()).isEqualTo(before.configs());
      assertThat(after.producerIds()).isEqualTo(before.producerIds());
      assertThat(after.highestOffsetAndEpoch()).isEqualTo(before.highestOffsetAndEpoch());
      assertThat(topics.topics().find("orders").orElseThrow().partitionCount()).isEqualTo(3);
      assertThat(topics.topics().nextProducerId().join()).isEqualTo(1000);
    }
  }

  @Test
  void one_is_due_after_an_hour_if_something_was_changed() throws IOException {
    try (TestTopics topics = TestTopics.start(disk, Map.of(), clock)) {
      topics.create(NewTopic.named("first"));
      clock.advanceMs(3_599_999);
      topics.create(NewTopic.named("second"));
      assertThat(files(".checkpoint")).isEmpty();
      clock.advanceMs(1);
      topics.create(NewTopic.named("third"));
      TestTopics.await(topics.topics().nextProducerId());
      assertThat(files(".checkpoint")).hasSize(1);
    }
  }

  @Test
  void what_came_into_a_log_before_this_start_counts() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders").withPartitions(30));
    }
    long bytes = disk.sizeBytes(FOLDER.resolve("00000000000000000000.log"));
    Map<String, String> settings =
        Map.of("metadata.log.max.record.bytes.between.snapshots", Long.toString(bytes));
    TestTopics.start(disk, settings).close();
    assertThat(files(".checkpoint")).hasSize(1);
  }

  private List<String> files(String suffix) throws IOException {
    return disk.list(FOLDER).stream().filter(name -> name.endsWith(suffix)).toList();
  }
}
