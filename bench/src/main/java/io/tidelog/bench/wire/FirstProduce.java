package io.tidelog.bench.wire;

import io.tidelog.bench.server.RunningServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * The first record that a server stores: a topic is created and a record is produced to it, each
 * tried every two milliseconds until it is acknowledged.
 */
public final class FirstProduce {
  private static final short VERSION = 7;
  private static final long TRY_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(120);

  private FirstProduce() {}

  /**
   * When it got so far, by System.nanoTime.
   *
   * @param answeredNs ApiVersions was answered
   * @param producedNs the record was acknowledged
   */
  public record Moments(long answeredNs, long producedNs) {}

  /** One try of a step. */
  @FunctionalInterface
  private interface Step<T> {
    T attempt() throws IOException;
  }

  /**
   * Returns when it is acknowledged.
   *
   * @throws IOException if the server has ended, or answers nothing but errors for two minutes
   */
  public static Moments await(RunningServer server) throws IOException {
    try (RawConnection connection = retry(server, () -> RawConnection.to(server.port()))) {
      retry(server, () -> versions(connection));
      long answeredNs = System.nanoTime();
      Topic topic = retry(server, () -> create(connection, server.port()));
      retry(server, () -> produce(connection, topic));
      long producedNs = System.nanoTime();
      EndOffsets.requireAdded(topic, 0, 1);
      return new Moments(answeredNs, producedNs);
    }
  }

  private static <T> T retry(RunningServer server, Step<T> step) throws IOException {
    while (true) {
      try {
        return step.attempt();
      } catch (IOException notYet) {
        server.requireAlive();
        if (System.nanoTime() - server.startedNs() > GIVE_UP_NS) {
          throw notYet;
        }
        LockSupport.parkNanos(TRY_EVERY_NS);
      }
    }
  }

  private static ApiVersionsResponseData versions(RawConnection connection) throws IOException {
    ApiVersionsResponseData answer =
        new ApiVersionsResponseData(
            connection.ask(ApiKeys.API_VERSIONS, (short) 0, new ApiVersionsRequestData()),
            (short) 0);
    RefusedException.throwIfError("ApiVersions", answer.errorCode(), null);
    return answer;
  }

  private static Topic create(RawConnection connection, int port) throws IOException {
    CreatableTopicCollection topics = new CreatableTopicCollection();
    topics.add(
        new CreatableTopic().setName("first").setNumPartitions(1).setReplicationFactor((short) 1));
    CreateTopicsResponseData answer =
        new CreateTopicsResponseData(
            connection.ask(
                ApiKeys.CREATE_TOPICS,
                VERSION,
                new CreateTopicsRequestData().setTopics(topics).setTimeoutMs(10_000)),
            VERSION);
    List<CreatableTopicResult> results = List.copyOf(answer.topics());
    RefusedException.throwIfError(
        "CreateTopics", results.get(0).errorCode(), results.get(0).errorMessage());
    Uuid id = results.get(0).topicId();
    return new Topic(port, "first", id, 1);
  }

  private static Tally produce(RawConnection connection, Topic topic) throws IOException {
    ProduceWork work = ProduceWork.toAll(topic, Payload.ONE_KIB.batch());
    return new Pipeline(List.of(connection), work, 1).run(Duration.ofMinutes(1), 1);
  }
}
