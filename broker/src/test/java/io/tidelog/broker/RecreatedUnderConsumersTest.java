package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Case H15: a topic is deleted under two consumers that wait, one that names it by id and one by
 * name, and made again.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RecreatedUnderConsumersTest extends WithBroker {
  private static final int LONG_MS = 50_000;
  private static final int RECORDS = 100;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  @Test
  void nothing_of_the_old_topic_is_left_and_both_consumers_recover() throws Exception {
    Topic old = broker.create("orders", 1, Map.of("file.delete.delay.ms", "0"));
    for (int i = 0; i < RECORDS; i++) {
      client.produce(old, 0, Batches.of("old" + i));
    }
    try (Admin admin = Admin.create(bootstrap());
        DataClient byId = broker.dataClient();
        DataClient byName = broker.dataClient().fetchVersion(12)) {
      assertThat(Batches.records(byId.fetch(old, 0, 0))).hasSize(RECORDS);
      assertThat(Batches.records(byName.fetch(old, 0, 0))).hasSize(RECORDS);
      commit(admin, RECORDS);
      byId.waiting(LONG_MS, 1).wire().send(byId.fetchRequest(old, 0, RECORDS));
      byName.waiting(LONG_MS, 1).wire().send(byName.fetchRequest(old, 0, RECORDS));
      assertThat(client.listOffsets(old, 0, -1).offset()).isEqualTo(RECORDS);

      admin.deleteTopics(List.of("orders")).all().get();
      Topic again = broker.create("orders");
      for (int i = 0; i < 5; i++) {
        client.produce(again, 0, Batches.of("new" + i));
      }

      assertThat(error(received(byId))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
      assertThat(error(received(byName))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
      assertThat(again.id()).isNotEqualTo(old.id());
      assertThat(error(byId.fetch(old, 0, RECORDS))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
      assertThat(error(byName.fetch(again, 0, RECORDS))).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
      assertThat(Batches.values(byId.fetch(again, 0, 0))).startsWith("new0").hasSize(5);
      assertThat(Batches.values(byName.fetch(again, 0, 0))).startsWith("new0").hasSize(5);
      awaitCommittedGone(admin);
      awaitFoldersOf("orders-0");
    }
  }

  private Map<String, Object> bootstrap() {
    return Map.of("bootstrap.servers", "127.0.0.1:" + broker.broker().port());
  }

  private static void commit(Admin admin, long offset) throws Exception {
    admin
        .alterConsumerGroupOffsets("readers", Map.of(ORDERS, new OffsetAndMetadata(offset)))
        .all()
        .get();
    assertThat(committed(admin).offset()).isEqualTo(offset);
  }

  private static OffsetAndMetadata committed(Admin admin) throws Exception {
    return admin
        .listConsumerGroupOffsets("readers")
        .partitionsToOffsetAndMetadata()
        .get()
        .get(ORDERS);
  }

  private static void awaitCommittedGone(Admin admin) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (committed(admin) != null) {
      assertThat(System.nanoTime()).as("the old topic's offsets stay").isLessThan(deadline);
    }
  }

  /** The new topic's folder is the only one whose name begins so. */
  private void awaitFoldersOf(String name) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (foldersOf(name) > 1) {
      assertThat(System.nanoTime()).as("the old topic's folder stays").isLessThan(deadline);
      Thread.onSpinWait();
    }
    assertThat(Files.isDirectory(directory.resolve(name))).isTrue();
  }

  private long foldersOf(String name) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(path -> path.getFileName().toString().startsWith(name)).count();
    }
  }

  private static PartitionData received(DataClient from) throws IOException {
    return ((FetchResponse) from.wire().receive()).data().responses().get(0).partitions().get(0);
  }

  private static Errors error(PartitionData partition) {
    return Errors.forCode(partition.errorCode());
  }
}
