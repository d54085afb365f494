package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.FetchSessionHandler;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.internals.LogContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kafka's consumer keeps of a session finds nothing wrong with our side of it. */
class KafkasSessionHandlerTest extends WithBroker {
  private static final int TOPICS = 3;
  private static final int PARTITIONS = 4;
  private static final int ROUNDS = 400;
  private static final long SEED = 20_261;

  private final Random random = new Random(SEED);
  private final FetchSessionHandler handler = new FetchSessionHandler(new LogContext(), 1);
  private final Map<String, Topic> topics = new HashMap<>();
  private final Map<TopicPartition, Long> read = new TreeMap<>(KafkasSessionHandlerTest::compare);
  private final Map<TopicPartition, Long> written = new HashMap<>();
  private int incremental;

  @ParameterizedTest
  @ValueSource(shorts = {12, 18})
  void sessions_of_changing_partitions_read_all_that_is_written(short version) throws IOException {
    for (int i = 0; i < TOPICS; i++) {
      recreate("t" + i);
    }
    for (int round = 0; round < ROUNDS; round++) {
      change();
      exchange(version);
    }
    subscribeToAll();
    int idle = 0;
    while (!read.equals(written)) {
      exchange(version);
      assertThat(idle++).as("rounds without end, seed %d", SEED).isLessThan(200);
    }
    assertThat(incremental).isGreaterThan(ROUNDS / 2);
  }

  /** The consumer closes while its fetch waits: the answer to that must not surprise it. */
  @ParameterizedTest
  @ValueSource(shorts = {12, 18})
  void closing_while_a_fetch_waits_surprises_nobody(short version) throws IOException {
    recreate("t0");
    exchange(version);
    client.wire().send(request(build(), version, 300));
    handler.notifyClose();
    FetchSessionHandler.FetchRequestData last = handler.newBuilder().build();
    FetchResponse waited = (FetchResponse) client.wire().receive();
    assertThat(handler.handleResponse(waited, version)).isTrue();
    FetchResponse closed = client.wire().call(request(last, version, 0), FetchResponse.class);
    assertThat(handler.handleResponse(closed, version)).isTrue();
    assertThat(closed.sessionId()).isZero();
  }

  private void change() throws IOException {
    List<TopicPartition> all = List.copyOf(written.keySet());
    TopicPartition any = all.get(random.nextInt(all.size()));
    switch (random.nextInt(10)) {
      case 0 -> read.remove(any);
      case 1 -> subscribeToAll();
      case 2 -> {
        if (random.nextInt(10) == 0) {
          broker.delete(topics.get(any.topic()));
          recreate(any.topic());
        }
      }
      case 3, 4 -> {
        // A round without a change is a case too.
      }
      default -> {
        Topic topic = topics.get(any.topic());
        assertThat(client.produce(topic, any.partition(), Batches.of("x")).errorCode()).isZero();
        written.merge(any, 1L, Long::sum);
      }
    }
  }

  private void recreate(String name) {
    Topic topic = broker.create(name, PARTITIONS, Map.of());
    topics.put(name, topic);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      written.put(new TopicPartition(name, partition), 0L);
      read.put(new TopicPartition(name, partition), 0L);
    }
  }

  private void subscribeToAll() {
    written.keySet().forEach(partition -> read.putIfAbsent(partition, 0L));
  }

  private FetchSessionHandler.FetchRequestData build() {
    FetchSessionHandler.Builder builder = handler.newBuilder();
    read.forEach(
        (partition, offset) ->
            builder.add(
                partition,
                new FetchRequest.PartitionData(
                    topics.get(partition.topic()).id(),
                    offset,
                    -1,
                    1 << 20,
                    Optional.of(0),
                    Optional.empty())));
    return builder.build();
  }

  private static FetchRequest request(
      FetchSessionHandler.FetchRequestData built, short version, int maxWaitMs) {
    return FetchRequest.Builder.forConsumer(version, maxWaitMs, 1, built.toSend())
        .metadata(built.metadata())
        .removed(built.toForget())
        .replaced(built.toReplace())
        .setMaxBytes(random(built))
        .build(version);
  }

  /** Small enough, now and then, that not all partitions fit. */
  private static int random(FetchSessionHandler.FetchRequestData built) {
    return built.metadata().epoch() % 3 == 0 ? 1 : 1 << 20;
  }

  private void exchange(short version) throws IOException {
    FetchSessionHandler.FetchRequestData built = build();
    incremental += built.metadata().isFull() ? 0 : 1;
    FetchResponse response = client.wire().call(request(built, version, 0), FetchResponse.class);
    assertThat(handler.handleResponse(response, version)).as("seed %d", SEED).isTrue();
    for (FetchableTopicResponse topic : response.data().responses()) {
      for (PartitionData data : topic.partitions()) {
        take(new TopicPartition(nameOf(topic), data.partitionIndex()), data);
      }
    }
  }

  private String nameOf(FetchableTopicResponse topic) {
    return topics.values().stream()
        .filter(known -> known.id().equals(topic.topicId()) || known.name().equals(topic.topic()))
        .findFirst()
        .orElseThrow()
        .name();
  }

  private void take(TopicPartition partition, PartitionData data) {
    assertThat(Errors.forCode(data.errorCode())).isEqualTo(Errors.NONE);
    List<Long> offsets = new ArrayList<>(Batches.offsets(data));
    if (!offsets.isEmpty() && read.containsKey(partition)) {
      assertThat(offsets.get(0)).isEqualTo(read.get(partition));
      read.put(partition, offsets.get(offsets.size() - 1) + 1);
    }
  }

  private static int compare(TopicPartition one, TopicPartition other) {
    int byTopic = one.topic().compareTo(other.topic());
    return byTopic != 0 ? byTopic : Integer.compare(one.partition(), other.partition());
  }
}
