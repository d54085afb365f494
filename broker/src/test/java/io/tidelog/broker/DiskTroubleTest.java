package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteRecordsResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.junit.jupiter.api.Test;

/** A full disk, failing calls and power cuts, as clients see them. */
class DiskTroubleTest {

  @Test
  void a_full_disk_refuses_writes_until_there_is_room_and_reads_go_on() throws IOException {
    SimDisk disk = new SimDisk(1);
    try (TestBroker broker = SimBroker.start(disk);
        DataClient client = broker.dataClient()) {
      Topic topic = broker.create("full");
      client.produce(topic, 0, Batches.of("before"));
      disk.limitSpace(100);
      for (int i = 0; i < 3; i++) {
        assertThat(Errors.forCode(client.produce(topic, 0, Batches.sized(1, 5_000)).errorCode()))
            .isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("before");
      }
      disk.limitSpace(1 << 30);
      assertThat(client.produce(topic, 0, Batches.of("after")).baseOffset()).isEqualTo(1);
      assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("before", "after");
    }
  }

  @Test
  void a_write_that_fails_is_a_storage_error_and_stores_nothing() throws IOException {
    SimDisk disk = new SimDisk(1);
    try (TestBroker broker = SimBroker.start(disk);
        DataClient client = broker.dataClient()) {
      Topic topic = broker.create("failing");
      client.produce(topic, 0, Batches.of("before"));
      disk.failWhen(
          call ->
              call.kind() == DiskCall.Kind.WRITE && call.path().toString().contains("failing-0"));
      assertThat(Errors.forCode(client.produce(topic, 0, Batches.of("lost")).errorCode()))
          .isEqualTo(Errors.KAFKA_STORAGE_ERROR);
      disk.heal();
      assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("before");
    }
  }

  @Test
  void a_sync_that_fails_is_a_storage_error_at_once_and_closes_the_log() throws IOException {
    SimDisk disk = new SimDisk(1);
    TestBroker broker = SimBroker.start(disk);
    try (DataClient client = broker.dataClient().timeoutMs(60_000)) {
      Topic topic = broker.create("unsynced", 1, Map.of("tidelog.durability", "fsync"));
      Topic other = broker.create("other");
      disk.failWhen(
          call ->
              call.kind() == DiskCall.Kind.SYNC && call.path().toString().contains("unsynced-0"));
      for (String value : List.of("a", "b")) {
        assertThat(Errors.forCode(client.produce(topic, 0, Batches.of(value)).errorCode()))
            .isEqualTo(Errors.KAFKA_STORAGE_ERROR);
      }
      assertThat(client.produce(other, 0, Batches.of("c")).errorCode()).isZero();
    }
    assertThatThrownBy(broker::close).hasMessageContaining("unsynced-0");
  }

  @Test
  void a_read_that_fails_is_a_storage_error_that_old_clients_know() throws IOException {
    SimDisk disk = new SimDisk(1);
    try (TestBroker broker = SimBroker.start(disk);
        DataClient client = broker.dataClient()) {
      Topic topic = broker.create("unreadable");
      client.produce(topic, 0, Batches.of("a"));
      client.produce(topic, 0, Batches.of("b"));
      disk.failWhen(call -> call.kind() == DiskCall.Kind.READ);
      assertThat(Errors.forCode(client.fetch(topic, 0, 1).errorCode()))
          .isEqualTo(Errors.KAFKA_STORAGE_ERROR);
      assertThat(Errors.forCode(client.fetchVersion(5).fetch(topic, 0, 1).errorCode()))
          .isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
      disk.heal();
      assertThat(Batches.values(client.fetch(topic, 0, 1))).containsExactly("b");
    }
  }

  @Test
  void deleted_records_stay_deleted_through_a_power_cut() throws IOException {
    for (long seed = 1; seed <= 10; seed++) {
      SimDisk disk = new SimDisk(seed);
      TestBroker broker = SimBroker.start(disk);
      try (DataClient client = broker.dataClient()) {
        Topic topic = broker.create("cut", 1, Map.of("tidelog.durability", "fsync"));
        client.produce(topic, 0, Batches.sized(100, 10));
        delete(client, "cut", 50);
      }
      SimDisk after = disk.crash(seed);
      SimBroker.endPowerless(broker);
      try (TestBroker again = SimBroker.start(after);
          DataClient client = again.dataClient()) {
        Topic topic = again.topics().find("cut").orElseThrow();
        assertThat(client.listOffsets(topic, 0, -2).offset()).as("seed %d", seed).isEqualTo(50);
        assertThat(client.listOffsets(topic, 0, -1).offset()).as("seed %d", seed).isEqualTo(100);
      }
    }
  }

  @Test
  void a_deletion_that_cannot_be_saved_is_refused_however_often_it_is_asked_for()
      throws IOException {
    SimDisk disk = new SimDisk(1);
    try (TestBroker broker = SimBroker.start(disk);
        DataClient client = broker.dataClient()) {
      Topic topic = broker.create("kept");
      client.produce(topic, 0, Batches.sized(10, 10));
      disk.failWhen(call -> call.path().toString().contains("log-start-offset-checkpoint"));
      for (long offset : new long[] {3, 3, 2}) {
        DeleteRecordsPartitionResult result = deletion(client, "kept", offset);
        assertThat(Errors.forCode(result.errorCode())).isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThat(client.listOffsets(topic, 0, -2).offset()).isZero();
      }
      disk.heal();
      delete(client, "kept", 3);
      assertThat(client.listOffsets(topic, 0, -2).offset()).isEqualTo(3);
    }
  }

  @Test
  void after_a_power_cut_readers_from_before_are_fenced() throws IOException {
    SimDisk disk = new SimDisk(1);
    TestBroker broker = SimBroker.start(disk);
    try (DataClient client = broker.dataClient()) {
      Topic topic = broker.create("epochs", 1, Map.of("tidelog.durability", "fsync"));
      client.produce(topic, 0, Batches.of("a"));
    }
    SimDisk after = disk.crash(7);
    SimBroker.endPowerless(broker);
    try (TestBroker again = SimBroker.start(after);
        DataClient client = again.dataClient()) {
      Topic topic = again.topics().find("epochs").orElseThrow();
      client.produce(topic, 0, Batches.of("b"));
      assertThat(errorAtEpoch(client, topic, 0)).isEqualTo(Errors.FENCED_LEADER_EPOCH);
      assertFencedAreToldTheLeader(client, topic);
      assertThat(errorAtEpoch(client, topic, 1)).isEqualTo(Errors.NONE);
      assertThat(errorAtEpoch(client, topic, 2)).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
      assertThat(client.listOffsets(topic, 0, -1).leaderEpoch()).isEqualTo(1);
      assertThat(client.listOffsets(topic, 0, -2).leaderEpoch()).isZero();
    }
  }

  private static void assertFencedAreToldTheLeader(DataClient client, Topic topic)
      throws IOException {
    for (int version = 15; version <= ApiKeys.FETCH.latestVersion(); version++) {
      client.fetchVersion(version);
      FetchResponseData answer =
          client
              .wire()
              .call(
                  client.fetchRequest(
                      List.of(
                          client.fetchTopic(
                              topic, List.of(client.at(0, 0).setCurrentLeaderEpoch(0))))),
                  FetchResponse.class)
              .data();
      PartitionData fenced = answer.responses().get(0).partitions().get(0);
      assertThat(Errors.forCode(fenced.errorCode())).isEqualTo(Errors.FENCED_LEADER_EPOCH);
      assertThat(fenced.currentLeader().leaderId()).isEqualTo(version < 16 ? -1 : 1);
      assertThat(fenced.currentLeader().leaderEpoch()).isEqualTo(version < 16 ? -1 : 1);
      assertThat(answer.nodeEndpoints()).as("v%d", version).hasSize(version < 16 ? 0 : 1);
    }
  }

  private static Errors errorAtEpoch(DataClient client, Topic topic, int epoch) throws IOException {
    return Errors.forCode(
        client
            .fetch(client.fetchTopic(topic, List.of(client.at(0, 0).setCurrentLeaderEpoch(epoch))))
            .get(0)
            .errorCode());
  }

  @Test
  void append_time_is_the_clock_that_was_passed_in() throws IOException {
    SimClock clock = new SimClock();
    try (TestBroker broker = SimBroker.start(new SimDisk(1), clock, SimBroker.background());
        DataClient client = broker.dataClient()) {
      Topic topic = broker.create("stamped", 1, Map.of("message.timestamp.type", "LogAppendTime"));
      assertThat(client.produce(topic, 0, Batches.of("a")).logAppendTimeMs())
          .isEqualTo(SimClock.START_MS);
      clock.advanceMs(1_000);
      assertThat(client.produce(topic, 0, Batches.of("b")).logAppendTimeMs())
          .isEqualTo(SimClock.START_MS + 1_000);
    }
  }

  private static void delete(DataClient client, String topic, long offset) throws IOException {
    assertThat(deletion(client, topic, offset).lowWatermark()).isEqualTo(offset);
  }

  private static DeleteRecordsPartitionResult deletion(DataClient client, String topic, long offset)
      throws IOException {
    DeleteRecordsPartition partition =
        new DeleteRecordsPartition().setPartitionIndex(0).setOffset(offset);
    DeleteRecordsRequestData request =
        new DeleteRecordsRequestData()
            .setTopics(
                List.of(new DeleteRecordsTopic().setName(topic).setPartitions(List.of(partition))));
    DeleteRecordsResponse response =
        client
            .wire()
            .call(
                DataClient.parsed(ApiKeys.DELETE_RECORDS, request, (short) 2),
                DeleteRecordsResponse.class);
    return response.data().topics().find(topic).partitions().find(0);
  }
}
