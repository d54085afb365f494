package io.tidelog.broker;

import static io.tidelog.broker.SessionClient.partitions;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.FetchResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Both isolation levels over a log in which transactions interleave (case H17):
 *
 * <pre>
 *  0 one a · 1 plain · 2 two a · 3 one aborts · 4 two b · 5 plain · 6 two commits · 7 three a · 8 plain
 * </pre>
 */
class ReadCommittedTest extends WithBroker {
  private static final int LONG_MS = 60_000;
  private static final long ONE = 1_001;

  /** The records are old, the markers of now: they shall not make the log roll. */
  private static final String ONE_SEGMENT = Long.toString(Long.MAX_VALUE);

  private static final long OPEN_AT = 7;
  private static final long END = 9;
  private static final List<String> COMMITTED = List.of("1 plain", "2 two", "4 two", "5 plain");

  private Topic topic;
  private Transaction three;

  @BeforeEach
  void write() throws IOException {
    topic = broker.create("ledger", 1, Map.of("segment.ms", ONE_SEGMENT));
    Transaction one = new Transaction(broker.log(topic, 0), ONE);
    Transaction two = new Transaction(broker.log(topic, 0), 1_002);
    three = new Transaction(broker.log(topic, 0), 1_003);
    one.write(Batches.NOW, "0 one");
    client.produce(topic, 0, Batches.of("1 plain"));
    two.write(Batches.NOW + 2, "2 two");
    one.abort();
    two.write(Batches.NOW + 4, "4 two");
    client.produce(topic, 0, Batches.of("5 plain"));
    two.commit();
    three.write(Batches.NOW + 7, "7 three");
    client.produce(topic, 0, Batches.of("8 plain"));
  }

  @Test
  void every_version_stops_at_the_open_transaction_and_lists_the_aborted() throws IOException {
    for (short version = 4; version <= ApiKeys.FETCH.latestVersion(); version++) {
      for (int maxBytes : new int[] {1, 1 << 20}) {
        client.fetchVersion(version).limits(maxBytes, maxBytes).readCommitted();
        for (long from = 0; from <= OPEN_AT; from++) {
          List<String> expected = new ArrayList<>(COMMITTED);
          long first = from;
          expected.removeIf(value -> value.charAt(0) - '0' < first);
          assertThat(read(from)).as("v%d from %d", version, from).isEqualTo(expected);
        }
        assertThat(Batches.records(client.fetch(topic, 0, OPEN_AT + 1))).isEmpty();
      }
    }
  }

  /** What a client shows, from an offset to where it finds no more. */
  private List<String> read(long from) throws IOException {
    List<String> values = new ArrayList<>();
    Set<Long> aborting = new HashSet<>();
    for (long next = from; ; ) {
      PartitionData answer = client.fetch(topic, 0, next);
      assertThat(answer.lastStableOffset()).isEqualTo(OPEN_AT);
      assertThat(answer.highWatermark()).isEqualTo(END);
      Queue<AbortedTransaction> aborted = byFirstOffset(answer);
      long before = next;
      for (RecordBatch batch : FetchResponse.recordsOrFail(answer).batches()) {
        while (!aborted.isEmpty() && aborted.peek().firstOffset() <= batch.lastOffset()) {
          aborting.add(aborted.poll().producerId());
        }
        next = Math.max(next, batch.lastOffset() + 1);
        show(batch, aborting, from, values);
      }
      if (next == before) {
        assertThat(next).isEqualTo(OPEN_AT);
        return values;
      }
    }
  }

  private static Queue<AbortedTransaction> byFirstOffset(PartitionData answer) {
    Queue<AbortedTransaction> aborted =
        new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
    aborted.addAll(answer.abortedTransactions());
    return aborted;
  }

  private static void show(RecordBatch batch, Set<Long> aborting, long from, List<String> values) {
    for (Record record : batch) {
      if (batch.isControlBatch()) {
        if (ControlRecordType.parse(record.key()) == ControlRecordType.ABORT) {
          aborting.remove(batch.producerId());
        }
      } else if (record.offset() >= from
          && !(batch.isTransactional() && aborting.contains(batch.producerId()))) {
        values.add(StandardCharsets.UTF_8.decode(record.value()).toString());
      }
    }
  }

  @Test
  void the_aborted_list_is_that_of_the_range_that_is_answered() throws IOException {
    client.readCommitted();
    for (long from = 0; from < OPEN_AT; from++) {
      List<AbortedTransaction> aborted = client.fetch(topic, 0, from).abortedTransactions();
      if (from <= 3) {
        assertThat(aborted)
            .as("from %d", from)
            .containsExactly(new AbortedTransaction().setProducerId(ONE).setFirstOffset(0));
      } else {
        assertThat(aborted).as("from %d", from).isEmpty();
      }
    }
    client.limits(1, 1);
    assertThat(client.fetch(topic, 0, 1).abortedTransactions()).hasSize(1);
  }

  @Test
  void uncommitted_readers_get_all_and_no_list() throws IOException {
    PartitionData answer = client.fetch(topic, 0, 0);
    assertThat(Batches.offsets(answer)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    assertThat(answer.abortedTransactions()).isNull();
    assertThat(answer.lastStableOffset()).isEqualTo(OPEN_AT);
  }

  @Test
  void offsets_by_name_and_by_time_stop_there_too() throws IOException {
    for (short version = 2; version <= ApiKeys.LIST_OFFSETS.latestVersion(false); version++) {
      client.listOffsetsVersion(version);
      try (DataClient committed = broker.dataClient().listOffsetsVersion(version)) {
        committed.readCommitted();
        assertThat(client.listOffsets(topic, 0, -1).offset()).as("v%d", version).isEqualTo(END);
        assertThat(committed.listOffsets(topic, 0, -1).offset()).isEqualTo(OPEN_AT);
        assertThat(client.listOffsets(topic, 0, Batches.NOW + 2).offset()).isEqualTo(2);
        assertThat(committed.listOffsets(topic, 0, Batches.NOW + 2).offset()).isEqualTo(2);
      }
    }
  }

  @Test
  void no_time_leads_past_the_open_transaction() throws IOException {
    Topic plain = broker.create("times");
    Transaction open = new Transaction(broker.log(plain, 0), 5);
    client.produce(plain, 0, Batches.of("before"));
    open.write(Batches.NOW + 10, "open");
    ListOffsetsPartitionResponse all = client.listOffsets(plain, 0, Batches.NOW + 5);
    assertThat(all.offset()).isEqualTo(1);
    client.readCommitted();
    ListOffsetsPartitionResponse committed = client.listOffsets(plain, 0, Batches.NOW + 5);
    assertThat(Errors.forCode(committed.errorCode())).isEqualTo(Errors.NONE);
    assertThat(committed.offset()).isEqualTo(-1);
    assertThat(committed.timestamp()).isEqualTo(-1);
    assertThat(client.listOffsets(plain, 0, -3).offset()).isEqualTo(-1);
  }

  @Test
  void the_end_of_the_transaction_wakes_those_who_wait_for_it() throws IOException {
    client.readCommitted().waiting(LONG_MS, 1);
    client.wire().send(client.fetchRequest(topic, 0, OPEN_AT));
    try (SessionClient session = new SessionClient(broker.connect()).readCommitted();
        DataClient other = broker.dataClient()) {
      session.name(topic, 0, OPEN_AT).fetch();
      session.waiting(LONG_MS, 1).send();
      assertThat(other.listOffsets(topic, 0, -2).errorCode()).isZero();
      three.commit();
      PartitionData answer =
          ((FetchResponse) client.wire().receive()).data().responses().get(0).partitions().get(0);
      assertThat(answer.lastStableOffset()).isEqualTo(END + 1);
      assertThat(Batches.offsets(answer)).containsExactly(7L, 8L, 9L);
      assertThat(Batches.offsets(partitions(session.receive()).get(0))).containsExactly(7L, 8L, 9L);
    }
  }

  @Test
  void records_of_an_open_transaction_wake_only_those_who_want_them() throws IOException {
    client.readCommitted().waiting(100, 1);
    try (DataClient uncommitted = broker.dataClient().waiting(LONG_MS, 1)) {
      client.wire().send(client.fetchRequest(topic, 0, OPEN_AT));
      uncommitted.wire().send(uncommitted.fetchRequest(topic, 0, END));
      try (DataClient other = broker.dataClient()) {
        assertThat(other.listOffsets(topic, 0, -2).errorCode()).isZero();
      }
      three.write(Batches.NOW + 9, "9 three");
      PartitionData seen =
          ((FetchResponse) uncommitted.wire().receive())
              .data()
              .responses()
              .get(0)
              .partitions()
              .get(0);
      assertThat(Batches.values(seen)).containsExactly("9 three");
      PartitionData unseen =
          ((FetchResponse) client.wire().receive()).data().responses().get(0).partitions().get(0);
      assertThat(Batches.records(unseen)).isEmpty();
    }
  }

  @Test
  void a_session_that_changes_its_isolation_level_gets_what_that_shows() throws IOException {
    try (SessionClient session = new SessionClient(broker.connect()).readCommitted()) {
      session.name(topic, 0, OPEN_AT).fetch();
      session.waiting(1, 1).fetch();
      assertThat(partitions(session.fetch())).isEmpty();
      session.readUncommitted();
      assertThat(Batches.offsets(partitions(session.fetch()).get(0))).containsExactly(7L, 8L);
    }
  }
}
