package io.tidelog.handler;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tidelog.topic.NewTopic;
import io.tidelog.topic.Topic;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;

/** A broker with one topic, of which an API is asked at every version that is offered. */
abstract class AtEveryVersion {
  TopicServer server;
  Topic orders;

  /** What is done at one version. */
  interface Claim {
    void check(short version) throws Exception;
  }

  @BeforeEach
  void start() throws Exception {
    server = TopicServer.start();
    orders =
        server
            .topics()
            .create(
                NewTopic.named("orders")
                    .withPartitions(2)
                    .withConfigs(Map.of("retention.ms", "7000")));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  static Stream<DynamicTest> each(ApiKeys api, Claim claim) {
    return IntStream.rangeClosed(api.oldestVersion(), api.latestVersion(false))
        .mapToObj(v -> dynamicTest(api.name + " v" + v, () -> claim.check((short) v)));
  }
}
