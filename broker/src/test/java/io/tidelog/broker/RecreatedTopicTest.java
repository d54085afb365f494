package io.tidelog.broker;

import static io.tidelog.broker.SessionClient.partitions;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session whose topic goes, and comes again under the same name, is told so. */
class RecreatedTopicTest extends WithBroker {
  private static final int LONG_MS = 60_000;

  private SessionClient byId;
  private SessionClient byName;
  private Topic old;
  private Topic other;

  @BeforeEach
  void read() throws IOException {
    byId = new SessionClient(broker.connect());
    byName = new SessionClient(broker.connect()).version(12);
    old = broker.create("orders");
    other = broker.create("other");
    for (int i = 0; i < 5; i++) {
      client.produce(old, 0, Batches.of("a" + i));
    }
    for (SessionClient session : new SessionClient[] {byId, byName}) {
      session.name(other, 0, 0).name(old, 0, 5).fetch();
      session.waiting(LONG_MS, 1);
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    byId.close();
    byName.close();
  }

  @Test
  void a_waiting_fetch_is_told_at_once() throws IOException {
    byId.send();
    byName.send();
    awaitTheFetchesSent();
    broker.delete(old);
    assertThat(error(onlyPartition(byId.receive()))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    assertThat(error(onlyPartition(byName.receive()))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
  }

  @Test
  void each_fetch_is_told_until_the_client_forgets_the_old_topic() throws IOException {
    broker.delete(old);
    for (int i = 0; i < 2; i++) {
      assertThat(error(onlyPartition(byId.fetch()))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
      assertThat(error(onlyPartition(byName.fetch()))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }
    Topic again = broker.create("orders");
    for (int i = 0; i < 2; i++) {
      assertThat(error(onlyPartition(byId.fetch()))).isEqualTo(Errors.INCONSISTENT_TOPIC_ID);
      assertThat(error(onlyPartition(byName.fetch()))).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }
    client.produce(again, 0, Batches.of("new"));
    byId.forget(old, 0).name(again, 0, 0);
    byName.name(again, 0, 0);
    assertThat(Batches.values(onlyPartition(byId.fetch()))).containsExactly("new");
    assertThat(Batches.values(onlyPartition(byName.fetch()))).containsExactly("new");
  }

  @Test
  void who_waited_when_the_topic_went_hears_of_what_the_new_one_gets() throws IOException {
    byName.send();
    awaitTheFetchesSent();
    broker.delete(old);
    assertThat(error(onlyPartition(byName.receive()))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    Topic again = broker.create("orders");
    assertThat(partitions(byName.name(again, 0, 0).waiting(0, 1).fetch())).isNotNull();
    assertThat(partitions(byName.fetch())).isEmpty();
    byName.waiting(LONG_MS, 1).send();
    awaitTheFetchesSent();
    for (String value : new String[] {"new", "newer"}) {
      client.produce(again, 0, Batches.of(value));
    }
    assertThat(Batches.values(onlyPartition(byName.receive()))).contains("new");
  }

  @Test
  void what_is_gone_can_be_forgotten_and_its_session_replaced() throws IOException {
    for (SessionClient session : new SessionClient[] {byId, byName}) {
      session.send();
    }
    awaitTheFetchesSent();
    broker.delete(old);
    for (SessionClient session : new SessionClient[] {byId, byName}) {
      assertThat(error(onlyPartition(session.receive()))).isNotEqualTo(Errors.NONE);
      assertThat(error(onlyPartition(session.fetch()))).isNotEqualTo(Errors.NONE);
      assertThat(partitions(session.waiting(0, 1).forget(old, 0).fetch())).isEmpty();
      assertThat(session.session(0, 0).name(other, 0, 0).fetch().errorCode()).isZero();
    }
  }

  @Test
  void a_topic_that_comes_late_is_served_without_being_named_again() throws IOException {
    SessionClient early = byName.session(0, 0).waiting(0, 1);
    Topic later = new Topic("later", org.apache.kafka.common.Uuid.ZERO_UUID, java.util.List.of());
    assertThat(error(onlyPartition(early.name(later, 1, 0).fetch())))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    Topic made = broker.create("later", 2, Map.of());
    client.produce(made, 1, Batches.of("first"));
    assertThat(Batches.values(onlyPartition(early.fetch()))).containsExactly("first");
  }

  /** The one event loop has taken them when it answers a later request. */
  private void awaitTheFetchesSent() throws IOException {
    assertThat(client.listOffsets(other, 0, -2).errorCode()).isZero();
  }

  private static PartitionData onlyPartition(FetchResponseData answer) {
    assertThat(answer.errorCode()).isZero();
    assertThat(partitions(answer)).hasSize(1);
    return partitions(answer).get(0);
  }

  private static Errors error(PartitionData partition) {
    return Errors.forCode(partition.errorCode());
  }
}
