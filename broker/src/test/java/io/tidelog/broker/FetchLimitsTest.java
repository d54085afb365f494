package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits smaller than a batch: no reader is stuck, and none gets a torn batch first. */
class FetchLimitsTest extends WithBroker {
  private static final int LARGE = 0;
  private static final int SMALL = 1;
  private static final int LARGE_BYTES = 1_000_000;

  private Topic topic;

  @BeforeEach
  void fill() throws IOException {
    topic = broker.create("limits", 2, Map.of());
    for (int i = 0; i < 3; i++) {
      client.produce(topic, LARGE, Batches.sized(1, LARGE_BYTES));
      client.produce(topic, SMALL, Batches.of("a", "b"));
    }
  }

  @Test
  void the_first_partition_gives_one_whole_batch_whatever_the_limits() throws IOException {
    for (int limit : new int[] {1, 0, -1, 60, 1000}) {
      client.limits(limit, limit);
      List<PartitionData> largeFirst = fetch(LARGE, 0, SMALL, 0);
      assertThat(Batches.offsets(largeFirst.get(0))).as("limit %d", limit).containsExactly(0L);
      assertNothing(largeFirst.get(1));
      List<PartitionData> smallFirst = fetch(SMALL, 0, LARGE, 0);
      assertThat(Batches.offsets(smallFirst.get(0))).contains(0L, 1L);
      assertNothing(smallFirst.get(1));
    }
  }

  @Test
  void an_empty_first_partition_leaves_the_privilege_to_the_next() throws IOException {
    client.limits(1, 1);
    List<PartitionData> answers = fetch(SMALL, 6, LARGE, 1);
    assertNothing(answers.get(0));
    assertThat(Batches.offsets(answers.get(1))).containsExactly(1L);
  }

  @Test
  void only_whole_batches_that_fit_follow_the_first() throws IOException {
    int small = Batches.of("a", "b").sizeInBytes();
    client.limits(LARGE_BYTES + 500, small * 2 + 1);
    List<PartitionData> answers = fetch(SMALL, 0, LARGE, 0);
    assertThat(Batches.batchSizes(answers.get(0))).containsExactly(small, small);
    assertNothing(answers.get(1));
  }

  @Test
  void the_limit_of_the_whole_answer_holds_but_for_one_batch() throws IOException {
    client.limits(LARGE_BYTES * 2, LARGE_BYTES * 10);
    List<PartitionData> answers = fetch(LARGE, 0, SMALL, 0);
    assertThat(Batches.offsets(answers.get(0))).containsExactly(0L);
    assertThat(Batches.offsets(answers.get(1))).hasSize(6);
  }

  @Test
  void a_client_that_rotates_partitions_reads_all() throws IOException {
    client.limits(1, 1);
    long large = 0;
    long small = 0;
    for (int turn = 0; turn < 6; turn++) {
      List<PartitionData> answers =
          turn % 2 == 0 ? fetch(LARGE, large, SMALL, small) : fetch(SMALL, small, LARGE, large);
      List<Long> offsets = Batches.offsets(answers.get(0));
      long next = offsets.get(offsets.size() - 1) + 1;
      large = turn % 2 == 0 ? next : large;
      small = turn % 2 == 0 ? small : next;
    }
    assertThat(large).isEqualTo(3);
    assertThat(small).isEqualTo(6);
  }

  @Test
  void fetch_max_bytes_of_the_broker_bounds_every_answer() throws IOException {
    stop();
    broker =
        TestBroker.start(BrokerSettings.embedded(directory).with("fetch.max.bytes", "2000000"));
    client = broker.dataClient();
    topic = broker.topics().find("limits").orElseThrow();
    assertThat(Batches.offsets(client.fetch(topic, LARGE, 0))).containsExactly(0L);
  }

  @Test
  void a_large_answer_arrives_whole() throws IOException {
    Topic wide = broker.create("wide");
    for (int i = 0; i < 30; i++) {
      client.produce(wide, 0, Batches.sized(10, 99_000));
    }
    assertThat(Batches.batchSizes(client.fetch(wide, 0, 0))).hasSize(10);
    client.limits(50 << 20, 50 << 20);
    assertThat(Batches.batchSizes(client.fetch(wide, 0, 0))).hasSize(30);
  }

  private List<PartitionData> fetch(int first, long firstOffset, int second, long secondOffset)
      throws IOException {
    return client.fetch(
        client.fetchTopic(
            topic, List.of(client.at(first, firstOffset), client.at(second, secondOffset))));
  }

  private static void assertNothing(PartitionData partition) {
    assertThat(partition.errorCode()).isEqualTo(Errors.NONE.code());
    assertThat(Batches.records(partition)).isEmpty();
  }
}
