package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProduceAndFetchTest {
  @TempDir Path directory;
  private TestBroker broker;
  private DataClient client;

  @BeforeEach
  void start() throws IOException {
    broker = TestBroker.start(directory);
    client = broker.dataClient();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    broker.close();
  }

  @Test
  void every_version_of_produce_appends_and_answers_with_the_offset() throws IOException {
    Topic topic = broker.create("orders");
    long next = 0;
    for (short version = 3; version <= ApiKeys.PRODUCE.latestVersion(); version++) {
      PartitionProduceResponse answer =
          client.produceVersion(version).produce(topic, 0, Batches.of("a", "b"));
      assertThat(Errors.forCode(answer.errorCode())).as("v%d", version).isEqualTo(Errors.NONE);
      assertThat(answer.baseOffset()).isEqualTo(next);
      assertThat(answer.logAppendTimeMs()).isEqualTo(-1);
      next += 2;
    }
  }

  @Test
  void every_version_of_fetch_returns_what_was_produced() throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.of("a", "b"));
    client.produce(topic, 0, Batches.of("c"));
    for (short version = 4; version <= ApiKeys.FETCH.latestVersion(); version++) {
      PartitionData answer = client.fetchVersion(version).fetch(topic, 0, 0);
      assertThat(Errors.forCode(answer.errorCode())).as("v%d", version).isEqualTo(Errors.NONE);
      assertThat(Batches.values(answer)).as("v%d", version).containsExactly("a", "b", "c");
      assertThat(answer.highWatermark()).isEqualTo(3);
      assertThat(answer.lastStableOffset()).isEqualTo(3);
    }
  }
}
