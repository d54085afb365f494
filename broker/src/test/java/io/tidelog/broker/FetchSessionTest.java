package io.tidelog.broker;

import static io.tidelog.broker.SessionClient.indexes;
import static io.tidelog.broker.SessionClient.partitions;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client in a session names what has changed, and is told what has changed. */
class FetchSessionTest extends WithBroker {
  private static final int LONG_MS = 60_000;

  private SessionClient session;

  @BeforeEach
  void connect() throws IOException {
    session = new SessionClient(broker.connect());
  }

  @AfterEach
  void disconnect() throws IOException {
    session.close();
  }

  @Test
  void every_version_with_sessions_tells_all_first_and_then_what_is_new() throws IOException {
    for (short version = 7; version <= ApiKeys.FETCH.latestVersion(); version++) {
      Topic topic = broker.create("v" + version, 3, Map.of());
      session.version(version).session(0, 0);
      session.name(topic, 0, 0).name(topic, 1, 0).name(topic, 2, 0);
      assertThat(indexes(session.fetch())).as("v%d", version).containsExactly(0, 1, 2);
      assertThat(session.sessionId()).isPositive();
      client.produce(topic, 1, Batches.of("a"));
      FetchResponseData second = session.fetch();
      assertThat(indexes(second)).as("v%d", version).containsExactly(1);
      assertThat(second.responses().get(0).topic()).isEqualTo(version < 13 ? topic.name() : "");
      assertThat(Batches.values(partitions(second).get(0))).containsExactly("a");
      assertThat(indexes(session.name(topic, 1, 1).fetch())).as("v%d", version).isEmpty();
      assertThat(session.epoch()).isEqualTo(3);
    }
  }

  @Test
  void every_version_with_sessions_forgets_partitions() throws IOException {
    for (short version = 7; version <= ApiKeys.FETCH.latestVersion(); version++) {
      Topic topic = broker.create("v" + version, 2, Map.of());
      session.version(version).session(0, 0);
      session.name(topic, 0, 0).name(topic, 1, 0).fetch();
      client.produce(topic, 0, Batches.of("a"));
      client.produce(topic, 1, Batches.of("b"));
      assertThat(indexes(session.forget(topic, 1).fetch())).as("v%d", version).containsExactly(0);
      int id = session.sessionId();
      FetchResponseData last = session.forget(topic, 0).fetch();
      assertThat(indexes(last)).as("v%d", version).isEmpty();
      assertThat(last.sessionId()).as("a session of nothing is over").isZero();
      assertThat(error(session.session(id, 3).fetch()))
          .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }
  }

  @Test
  void records_that_were_not_fetched_past_come_again() throws IOException {
    Topic topic = broker.create("again");
    session.name(topic, 0, 0).fetch();
    client.produce(topic, 0, Batches.of("a"));
    assertThat(Batches.values(partitions(session.fetch()).get(0))).containsExactly("a");
    assertThat(Batches.values(partitions(session.fetch()).get(0))).containsExactly("a");
  }

  @Test
  void a_session_wakes_when_any_of_its_partitions_moves() throws IOException {
    Topic topic = broker.create("wake", 50, Map.of());
    for (int partition = 0; partition < 50; partition++) {
      session.name(topic, partition, 0);
    }
    session.fetch();
    session.waiting(LONG_MS, 1);
    for (int round = 0; round < 100; round++) {
      int partition = round * 7 % 50;
      session.send();
      client.produce(topic, partition, Batches.of("r" + round));
      FetchResponseData answer = session.receive();
      assertThat(indexes(answer)).containsExactly(partition);
      PartitionData data = partitions(answer).get(0);
      session.name(topic, partition, data.highWatermark());
    }
  }

  @Test
  void offsets_that_move_without_records_are_told_once() throws IOException {
    Topic topic = broker.create("moved");
    client.produce(topic, 0, Batches.of("a", "b", "c"));
    session.name(topic, 0, 3).fetch();
    broker.log(topic, 0).advanceStart(2);
    PartitionData moved = partitions(session.fetch()).get(0);
    assertThat(moved.logStartOffset()).isEqualTo(2);
    assertThat(moved.highWatermark()).isEqualTo(3);
    assertThat(partitions(session.fetch())).isEmpty();
  }

  @Test
  void an_error_is_told_each_time_and_its_end_once() throws IOException {
    Topic topic = broker.create("error");
    session.name(topic, 0, 7);
    for (int i = 0; i < 3; i++) {
      PartitionData data = partitions(session.fetch()).get(0);
      assertThat(Errors.forCode(data.errorCode())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }
    assertThat(partitions(session.name(topic, 0, 0).fetch()).get(0).errorCode()).isZero();
    assertThat(partitions(session.fetch())).isEmpty();
  }

  @Test
  void partitions_take_turns_when_the_answer_is_full() throws IOException {
    Topic topic = broker.create("turns", 4, Map.of());
    for (int partition = 0; partition < 4; partition++) {
      client.produce(topic, partition, Batches.of("x"));
      session.name(topic, partition, 0);
    }
    session.maxBytes(1).fetch();
    List<Integer> served =
        List.of(0, 0, 0, 0, 0, 0, 0, 0).stream().map(ignored -> servedPartition()).toList();
    assertThat(served).containsExactly(1, 2, 3, 0, 1, 2, 3, 0);
  }

  private int servedPartition() {
    try {
      return indexes(session.fetch()).get(0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void a_repeated_or_lost_epoch_is_refused_and_the_session_stays() throws IOException {
    Topic topic = broker.create("epochs");
    session.name(topic, 0, 0).fetch();
    int id = session.sessionId();
    for (int wrong : List.of(3, 2, Integer.MAX_VALUE)) {
      FetchResponseData refused = session.session(id, wrong).fetch();
      assertThat(error(refused)).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
      assertThat(refused.sessionId()).isZero();
    }
    assertThat(error(session.session(id, 1).fetch())).isEqualTo(Errors.NONE);
    assertThat(error(session.session(id, 1).fetch())).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
    assertThat(error(session.session(id, 2).fetch())).isEqualTo(Errors.NONE);
  }

  @Test
  void a_session_that_is_not_there_is_not_found() throws IOException {
    assertThat(error(session.session(77, 1).fetch())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    assertThat(error(session.session(-77, 1).fetch())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    assertThat(error(session.session(0, 1).fetch())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
  }

  @Test
  void a_session_goes_on_in_the_way_in_which_it_names_topics() throws IOException {
    Topic topic = broker.create("kinds");
    session.version(12).name(topic, 0, 0).fetch();
    assertThat(error(session.version(13).fetch())).isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
    assertThat(error(session.version(7).fetch())).isEqualTo(Errors.NONE);
    session.version(18).session(0, 0).name(topic, 0, 0).fetch();
    assertThat(error(session.version(12).fetch())).isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
    assertThat(error(session.version(13).fetch())).isEqualTo(Errors.NONE);
  }

  @Test
  void a_full_fetch_ends_the_session_that_it_names() throws IOException {
    Topic topic = broker.create("full");
    session.name(topic, 0, 0).fetch();
    int first = session.sessionId();
    session.session(first, 0).name(topic, 0, 0).fetch();
    int second = session.sessionId();
    assertThat(second).isPositive().isNotEqualTo(first);
    assertThat(error(session.session(first, 1).fetch()))
        .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    FetchResponseData last = session.session(second, -1).name(topic, 0, 0).fetch();
    assertThat(last.sessionId()).isZero();
    assertThat(indexes(last)).containsExactly(0);
    assertThat(error(session.session(second, 1).fetch()))
        .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
  }

  @Test
  void asking_again_before_the_answer_came_makes_the_first_answer_void() throws IOException {
    Topic topic = broker.create("twice");
    session.name(topic, 0, 0).fetch();
    session.waiting(LONG_MS, 1).send();
    try (SessionClient other = new SessionClient(broker.connect())) {
      assertServed(topic);
      other.session(session.sessionId(), 2).waiting(LONG_MS, 1).send();
      FetchResponseData first = session.receive();
      assertThat(error(first)).isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH);
      assertThat(first.sessionId()).isEqualTo(session.sessionId());
      client.produce(topic, 0, Batches.of("a"));
      assertThat(Batches.values(partitions(other.receive()).get(0))).containsExactly("a");
    }
  }

  @Test
  void a_session_outlives_its_connection() throws IOException {
    Topic topic = broker.create("outlives");
    session.name(topic, 0, 0).fetch();
    session.waiting(LONG_MS, 1).send();
    assertServed(topic);
    session.wire().vanish();
    assertServed(topic);
    client.produce(topic, 0, Batches.of("a"));
    try (SessionClient other = new SessionClient(broker.connect())) {
      other.session(session.sessionId(), 2);
      assertThat(Batches.values(partitions(other.fetch()).get(0))).containsExactly("a");
    }
  }

  @Test
  void ending_the_session_sends_a_waiting_fetch_home() throws IOException {
    Topic topic = broker.create("ended");
    session.name(topic, 0, 0).fetch();
    session.waiting(LONG_MS, 1).send();
    assertServed(topic);
    try (SessionClient other = new SessionClient(broker.connect())) {
      other.session(session.sessionId(), -1).fetch();
    }
    assertThat(error(session.receive())).isEqualTo(Errors.NONE);
  }

  private void assertServed(Topic topic) throws IOException {
    assertThat(client.listOffsets(topic, 0, -2).errorCode()).isZero();
  }

  private static Errors error(FetchResponseData answer) {
    return Errors.forCode(answer.errorCode());
  }
}
