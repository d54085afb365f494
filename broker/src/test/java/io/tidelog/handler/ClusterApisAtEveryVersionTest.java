package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddRaftVoterRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignableTopic;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignablePartitionResponse;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDir;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData.PartitionResult;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.RemoveRaftVoterRequestData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterControllerRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddRaftVoterResponse;
import org.apache.kafka.common.requests.AlterPartitionReassignmentsResponse;
import org.apache.kafka.common.requests.AlterReplicaLogDirsResponse;
import org.apache.kafka.common.requests.DescribeQuorumResponse;
import org.apache.kafka.common.requests.ElectLeadersResponse;
import org.apache.kafka.common.requests.ListPartitionReassignmentsResponse;
import org.apache.kafka.common.requests.RemoveRaftVoterResponse;
import org.apache.kafka.common.requests.UnregisterBrokerResponse;
import org.apache.kafka.common.requests.UnregisterControllerResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The APIs of a cluster's nodes answer on one node as a Kafka of one node does. */
class ClusterApisAtEveryVersionTest extends AtEveryVersion {
  private int nodeId;

  @BeforeEach
  void askTheNode() {
    nodeId = server.topics().topics().node().nodeId();
  }

  @TestFactory
  Stream<DynamicTest> this_node_is_the_only_voter() {
    return each(
        ApiKeys.DESCRIBE_QUORUM,
        version -> {
          DescribeQuorumResponseData answer = describeQuorum("__cluster_metadata", version);
          DescribeQuorumResponseData.PartitionData partition =
              answer.topics().get(0).partitions().get(0);
          assertThat(partition.errorCode()).isZero();
          assertThat(partition.leaderId()).isEqualTo(nodeId);
          assertThat(partition.leaderEpoch()).isEqualTo(1);
          assertThat(partition.highWatermark()).isPositive();
          assertThat(partition.observers()).isEmpty();
          assertThat(partition.currentVoters()).hasSize(1);
          assertThat(partition.currentVoters().get(0).replicaId()).isEqualTo(nodeId);
          assertThat(partition.currentVoters().get(0).logEndOffset())
              .isEqualTo(partition.highWatermark());
          assertThat(answer.nodes()).hasSize(version < 2 ? 0 : 1);
          assertThat(
                  describeQuorum("orders", version).topics().get(0).partitions().get(0).errorCode())
              .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        });
  }

  private DescribeQuorumResponseData describeQuorum(String topic, short version) throws Exception {
    DescribeQuorumRequestData asked =
        new DescribeQuorumRequestData()
            .setTopics(
                List.of(
                    new DescribeQuorumRequestData.TopicData()
                        .setTopicName(topic)
                        .setPartitions(
                            List.of(
                                new DescribeQuorumRequestData.PartitionData()
                                    .setPartitionIndex(0)))));
    return server.ask(ApiKeys.DESCRIBE_QUORUM, asked, version, DescribeQuorumResponse.class).data();
  }

  @TestFactory
  Stream<DynamicTest> no_leader_need_be_elected() {
    return each(
        ApiKeys.ELECT_LEADERS,
        version -> {
          ElectLeadersRequestData asked = new ElectLeadersRequestData().setTimeoutMs(1_000);
          asked
              .topicPartitions()
              .add(new TopicPartitions().setTopic("orders").setPartitions(List.of(0, 1, 2)));
          asked
              .topicPartitions()
              .add(new TopicPartitions().setTopic("none").setPartitions(List.of(0)));
          ElectLeadersResponseData named = elect(asked, version);
          assertThat(named.errorCode()).isZero();
          assertThat(named.replicaElectionResults().get(0).partitionResult())
              .extracting(PartitionResult::errorCode)
              .containsExactly(
                  Errors.ELECTION_NOT_NEEDED.code(),
                  Errors.ELECTION_NOT_NEEDED.code(),
                  Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
          assertThat(named.replicaElectionResults().get(1).partitionResult().get(0).errorMessage())
              .isEqualTo("No such topic as none");
          ElectLeadersResponseData all =
              elect(new ElectLeadersRequestData().setTopicPartitions(null), version);
          assertThat(all.replicaElectionResults()).hasSize(1);
          assertThat(all.replicaElectionResults().get(0).partitionResult()).isEmpty();
          if (version > 0) {
            assertThat(elect(asked.setElectionType((byte) 1), version).errorCode()).isZero();
            assertThat(elect(asked.setElectionType((byte) 7), version).errorCode())
                .isEqualTo(Errors.INVALID_REQUEST.code());
          }
        });
  }

  private ElectLeadersResponseData elect(ElectLeadersRequestData asked, short version)
      throws Exception {
    return server.ask(ApiKeys.ELECT_LEADERS, asked, version, ElectLeadersResponse.class).data();
  }

  @TestFactory
  Stream<DynamicTest> partitions_move_to_where_they_are_and_nowhere_else() {
    return each(
        ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
        version -> {
          assertThat(reassign(version, "orders", 0, List.of(nodeId)).errorCode()).isZero();
          assertThat(reassign(version, "orders", 0, null).errorCode())
              .isEqualTo(Errors.NO_REASSIGNMENT_IN_PROGRESS.code());
          for (List<Integer> wrong :
              List.of(
                  List.<Integer>of(), List.of(99), List.of(nodeId, 99), List.of(nodeId, nodeId))) {
            ReassignablePartitionResponse refused = reassign(version, "orders", 1, wrong);
            assertThat(refused.errorCode())
                .as("%s", wrong)
                .isEqualTo(Errors.INVALID_REPLICA_ASSIGNMENT.code());
            assertThat(refused.errorMessage()).startsWith("The manual partition assignment");
          }
          assertThat(reassign(version, "orders", 2, List.of(nodeId)).errorCode())
              .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
          assertThat(reassign(version, "none", 0, List.of(nodeId)).errorCode())
              .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        });
  }

  private ReassignablePartitionResponse reassign(
      short version, String topic, int partition, List<Integer> replicas) throws Exception {
    AlterPartitionReassignmentsRequestData asked =
        new AlterPartitionReassignmentsRequestData()
            .setTopics(
                List.of(
                    new ReassignableTopic()
                        .setName(topic)
                        .setPartitions(
                            List.of(
                                new ReassignablePartition()
                                    .setPartitionIndex(partition)
                                    .setReplicas(replicas)))));
    return server
        .ask(
            ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
            asked,
            version,
            AlterPartitionReassignmentsResponse.class)
        .data()
        .responses()
        .get(0)
        .partitions()
        .get(0);
  }

  @TestFactory
  Stream<DynamicTest> no_partition_is_on_the_move() {
    return each(
        ApiKeys.LIST_PARTITION_REASSIGNMENTS,
        version -> {
          ListPartitionReassignmentsResponse answer =
              server.ask(
                  ApiKeys.LIST_PARTITION_REASSIGNMENTS,
                  new ListPartitionReassignmentsRequestData().setTopics(null),
                  version,
                  ListPartitionReassignmentsResponse.class);
          assertThat(answer.data().errorCode()).isZero();
          assertThat(answer.data().topics()).isEmpty();
        });
  }

  @TestFactory
  Stream<DynamicTest> no_other_broker_is_registered_and_this_one_stays() {
    return each(
        ApiKeys.UNREGISTER_BROKER,
        version -> {
          assertThat(unregisterBroker(99, version))
              .isEqualTo(Errors.BROKER_ID_NOT_REGISTERED.code());
          assertThat(unregisterBroker(nodeId, version)).isEqualTo(Errors.INVALID_REQUEST.code());
        });
  }

  private short unregisterBroker(int id, short version) throws Exception {
    return server
        .ask(
            ApiKeys.UNREGISTER_BROKER,
            new UnregisterBrokerRequestData().setBrokerId(id),
            version,
            UnregisterBrokerResponse.class)
        .data()
        .errorCode();
  }

  @TestFactory
  Stream<DynamicTest> no_other_controller_is_registered_and_this_one_stays() {
    return each(
        ApiKeys.UNREGISTER_CONTROLLER,
        version -> {
          assertThat(unregisterController(99, version))
              .isEqualTo(Errors.CONTROLLER_ID_NOT_REGISTERED.code());
          assertThat(unregisterController(nodeId, version))
              .isEqualTo(Errors.INVALID_REQUEST.code());
        });
  }

  private short unregisterController(int id, short version) throws Exception {
    return server
        .ask(
            ApiKeys.UNREGISTER_CONTROLLER,
            new UnregisterControllerRequestData().setControllerId(id),
            version,
            UnregisterControllerResponse.class)
        .data()
        .errorCode();
  }

  @TestFactory
  Stream<DynamicTest> no_voter_is_added() {
    return each(
        ApiKeys.ADD_RAFT_VOTER,
        version -> {
          AddRaftVoterRequestData asked =
              new AddRaftVoterRequestData()
                  .setClusterId(null)
                  .setVoterId(2)
                  .setVoterDirectoryId(Uuid.randomUuid());
          assertThat(add(asked, version)).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
          assertThat(add(asked.setVoterId(-1), version)).isEqualTo(Errors.INVALID_REQUEST.code());
          assertThat(add(asked.setClusterId("another"), version))
              .isEqualTo(Errors.INCONSISTENT_CLUSTER_ID.code());
        });
  }

  private short add(AddRaftVoterRequestData asked, short version) throws Exception {
    return server
        .ask(ApiKeys.ADD_RAFT_VOTER, asked, version, AddRaftVoterResponse.class)
        .data()
        .errorCode();
  }

  @TestFactory
  Stream<DynamicTest> no_voter_is_removed() {
    return each(
        ApiKeys.REMOVE_RAFT_VOTER,
        version -> {
          RemoveRaftVoterRequestData asked =
              new RemoveRaftVoterRequestData()
                  .setClusterId(null)
                  .setVoterId(nodeId)
                  .setVoterDirectoryId(Uuid.randomUuid());
          assertThat(remove(asked, version)).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
          assertThat(remove(asked.setVoterDirectoryId(Uuid.ZERO_UUID), version))
              .isEqualTo(Errors.INVALID_REQUEST.code());
          assertThat(remove(asked.setClusterId("another"), version))
              .isEqualTo(Errors.INCONSISTENT_CLUSTER_ID.code());
        });
  }

  private short remove(RemoveRaftVoterRequestData asked, short version) throws Exception {
    return server
        .ask(ApiKeys.REMOVE_RAFT_VOTER, asked, version, RemoveRaftVoterResponse.class)
        .data()
        .errorCode();
  }

  @TestFactory
  Stream<DynamicTest> replicas_stay_in_their_directory() {
    return each(
        ApiKeys.ALTER_REPLICA_LOG_DIRS,
        version -> {
          assertThat(move(version, "/data", "orders", 1)).isEqualTo(Errors.NONE);
          assertThat(move(version, "/elsewhere", "orders", 1)).isEqualTo(Errors.LOG_DIR_NOT_FOUND);
          assertThat(move(version, "/data", "orders", 2))
              .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
          assertThat(move(version, "/data", "none", 0))
              .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        });
  }

  private Errors move(short version, String directory, String topic, int partition)
      throws Exception {
    AlterReplicaLogDirsRequestData asked = new AlterReplicaLogDirsRequestData();
    AlterReplicaLogDir wanted = new AlterReplicaLogDir().setPath(directory);
    wanted
        .topics()
        .add(new AlterReplicaLogDirTopic().setName(topic).setPartitions(List.of(partition)));
    asked.dirs().add(wanted);
    return Errors.forCode(
        server
            .ask(ApiKeys.ALTER_REPLICA_LOG_DIRS, asked, version, AlterReplicaLogDirsResponse.class)
            .data()
            .results()
            .get(0)
            .partitions()
            .get(0)
            .errorCode());
  }
}
