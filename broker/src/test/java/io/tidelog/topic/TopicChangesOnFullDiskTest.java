package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.testkit.PowerCut;
import io.tidelog.testkit.RoomSweep;
import io.tidelog.testkit.SimDisk;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.junit.jupiter.api.Test;

/**
 * However little room there is, a change of topics either happens or does not, and its answer says
 * which, now and after the next start.
 */
class TopicChangesOnFullDiskTest {
  private static final int STEP_BYTES = 13;

  private static void begin(SimDisk disk) throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("there").withPartitions(2));
    }
  }

  /** A change that may be refused. */
  private interface Change {
    void make(TestTopics topics);
  }

  /** What is to be seen of it; empty if nothing is. */
  private interface Sight {
    boolean isIn(TestTopics topics);
  }

  /** Makes a change with ever more room until it is taken. */
  private static int sweep(Change change, Sight sight) throws Exception {
    return RoomSweep.inStepsOf(STEP_BYTES, TopicChangesOnFullDiskTest::begin)
        .untilItSucceeds(disk -> attempt(disk, change, sight));
  }

  private static boolean attempt(SimDisk disk, Change change, Sight sight) throws Exception {
    boolean isTaken = true;
    try (TestTopics topics = TestTopics.start(disk)) {
      try {
        change.make(topics);
      } catch (KafkaStorageException full) {
        assertThat(full).hasMessageContaining("no space left");
        isTaken = false;
      }
      assertThat(sight.isIn(topics)).isEqualTo(isTaken);
      if (disk.exists(TestTopics.DATA.resolve("new-0"))) {
        assertThat(topics.topics().find("new")).isPresent();
      }
      RoomSweep.plenty(disk);
      assertThat(topics.create(NewTopic.named("later")).partitionCount()).isEqualTo(1);
    }
    try (TestTopics again = TestTopics.start(disk)) {
      assertThat(sight.isIn(again)).isEqualTo(isTaken);
      assertThat(again.topics().find("later")).isPresent();
      if (!isTaken) {
        change.make(again);
        assertThat(sight.isIn(again)).isTrue();
      }
    }
    return isTaken;
  }

  @Test
  void a_topic_is_created_or_it_is_not() throws Exception {
    int refused =
        sweep(
            topics -> topics.create(NewTopic.named("new").withPartitions(3)),
            topics -> {
              Optional<Topic> found = topics.topics().find("new");
              boolean isRecorded =
                  topics.topics().image().topics().topicsByName().containsKey("new");
              assertThat(isRecorded).isEqualTo(found.isPresent());
              found.ifPresent(topic -> assertThat(topic.partitionCount()).isEqualTo(3));
              return found.isPresent();
            });
    assertThat(refused).isGreaterThan(10);
  }

  @Test
  void a_topic_is_deleted_or_it_is_not() throws Exception {
    int refused =
        sweep(
            topics -> topics.topics().find("there").ifPresent(topics::delete),
            topics ->
                topics.topics().find("there").isEmpty()
                    && !topics.topics().image().topics().topicsByName().containsKey("there"));
    assertThat(refused).isGreaterThan(3);
  }

  @Test
  void a_config_is_altered_or_it_is_not() throws Exception {
    ConfigResource there = ConfigLookup.topic("there");
    int refused =
        sweep(
            topics ->
                TestTopics.await(
                    topics
                        .topics()
                        .admin()
                        .alter(
                            Map.of(there, now -> Map.of("retention.ms", "7")),
                            TopicAdmin.Intent.CARRY_OUT)),
            topics ->
                topics
                        .topics()
                        .find("there")
                        .orElseThrow()
                        .partitions()
                        .get(0)
                        .log()
                        .settings()
                        .retentionMs()
                    == 7);
    assertThat(refused).isGreaterThan(3);
  }

  @Test
  void after_a_deletion_on_a_full_disk_the_name_begins_anew() throws Exception {
    SimDisk disk = new SimDisk(1);
    begin(disk);
    try (TestTopics topics = TestTopics.start(disk)) {
      PartitionLog log = topics.topics().find("there").orElseThrow().partitions().get(0).log();
      for (int i = 0; i < 10; i++) {
        log.append(batch(), 0, AppendSource.CLIENT);
      }
      log.flush();
      topics.store().saveCheckpoints();
      disk.limitSpace(90);
      topics.delete(topics.topics().find("there").orElseThrow());
      assertThatThrownBy(() -> topics.create(NewTopic.named("there")))
          .isInstanceOf(KafkaStorageException.class);
      RoomSweep.plenty(disk);
      topics.create(NewTopic.named("there"));
      SimDisk after = disk.crash(1);
      try (TestTopics again = TestTopics.start(after)) {
        Topic anew = again.topics().find("there").orElseThrow();
        assertThat(anew.partitions().get(0).log().view().end()).isZero();
      }
    } catch (PowerCut expected) {
      // the disk of the first store is dead
    }
  }

  private static ByteBuffer batch() {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatch batch =
          new RecordBatchWriter(codecs).begin().append(1, null, ByteBuffer.allocate(10)).finish();
      return ByteBuffer.allocate(batch.sizeBytes())
          .put(batch.buffer().slice(batch.position(), batch.sizeBytes()))
          .flip();
    }
  }
}
