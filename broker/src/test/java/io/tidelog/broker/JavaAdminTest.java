package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.topic.Topic;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.RaftVoterEndpoint;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidUpdateVersionException;
import org.apache.kafka.common.errors.LogDirNotFoundException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kafka's own Admin gets from us what it gets from a Kafka of one node. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JavaAdminTest extends WithBroker {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final TopicPartition NONE = new TopicPartition("none", 0);

  private Admin admin;
  private Topic orders;

  @BeforeEach
  void connect() {
    admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + broker.broker().port()));
    orders = broker.create("orders");
  }

  @AfterEach
  void disconnect() {
    admin.close();
  }

  @Test
  void describes_the_quorum() throws Exception {
    QuorumInfo quorum = admin.describeMetadataQuorum().quorumInfo().get();
    assertThat(quorum.leaderId()).isEqualTo(1);
    assertThat(quorum.voters()).hasSize(1);
    assertThat(quorum.observers()).isEmpty();
    assertThat(quorum.nodes()).containsOnlyKeys(1);
  }

  @Test
  void changes_no_voter() {
    assertFails(
        admin
            .addRaftVoter(
                2, Uuid.randomUuid(), Set.of(new RaftVoterEndpoint("CONTROLLER", "localhost", 9)))
            .all(),
        UnsupportedVersionException.class);
    assertFails(
        admin.removeRaftVoter(1, Uuid.randomUuid()).all(), UnsupportedVersionException.class);
  }

  @Test
  void elects_no_leader() throws Exception {
    Map<TopicPartition, Optional<Throwable>> named =
        admin.electLeaders(ElectionType.PREFERRED, Set.of(ORDERS, NONE)).partitions().get();
    assertThat(named.get(ORDERS)).get().isInstanceOf(ElectionNotNeededException.class);
    assertThat(named.get(NONE)).get().isInstanceOf(UnknownTopicOrPartitionException.class);
    assertThat(admin.electLeaders(ElectionType.UNCLEAN, null).partitions().get()).isEmpty();
  }

  @Test
  void reassigns_to_this_broker_and_to_no_other() throws Exception {
    admin
        .alterPartitionReassignments(
            Map.of(ORDERS, Optional.of(new NewPartitionReassignment(List.of(1)))))
        .all()
        .get();
    assertFails(
        admin
            .alterPartitionReassignments(
                Map.of(ORDERS, Optional.of(new NewPartitionReassignment(List.of(2)))))
            .all(),
        InvalidReplicaAssignmentException.class);
    assertFails(
        admin.alterPartitionReassignments(Map.of(ORDERS, Optional.empty())).all(),
        NoReassignmentInProgressException.class);
    assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
    assertThat(admin.listPartitionReassignments(Set.of(ORDERS)).reassignments().get()).isEmpty();
  }

  @Test
  void unregisters_nobody() {
    assertFails(admin.unregisterBroker(7).all(), BrokerIdNotRegisteredException.class);
    assertFails(admin.unregisterBroker(1).all(), InvalidRequestException.class);
  }

  @Test
  void keeps_quotas() throws Exception {
    ClientQuotaEntity alice = new ClientQuotaEntity(Map.of("user", "alice"));
    ClientQuotaAlteration.Op op = new ClientQuotaAlteration.Op("producer_byte_rate", 9.0);
    admin.alterClientQuotas(List.of(new ClientQuotaAlteration(alice, List.of(op)))).all().get();
    assertThat(admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get())
        .containsExactly(Map.entry(alice, Map.of("producer_byte_rate", 9.0)));
  }

  @Test
  void changes_features() throws Exception {
    assertThat(admin.describeFeatures().featureMetadata().get().finalizedFeatures())
        .containsKeys("metadata.version", "group.version", "streams.version");
    FeatureUpdate off = new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
    admin.updateFeatures(Map.of("streams.version", off), new UpdateFeaturesOptions()).all().get();
    assertThat(admin.describeFeatures().featureMetadata().get().finalizedFeatures())
        .doesNotContainKey("streams.version");
    FeatureUpdate high = new FeatureUpdate((short) 9, FeatureUpdate.UpgradeType.UPGRADE);
    assertFails(
        admin.updateFeatures(Map.of("group.version", high), new UpdateFeaturesOptions()).all(),
        InvalidUpdateVersionException.class);
  }

  @Test
  void keeps_what_clients_are_to_report() throws Exception {
    ConfigResource reports = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "reports");
    alter(reports, "interval.ms", "5000");
    alter(reports, "match", "client_id=app.*");
    Config config = describe(reports);
    assertThat(config.get("interval.ms").value()).isEqualTo("5000");
    assertThat(config.get("interval.ms").source())
        .isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG);
    assertThat(config.get("metrics").source()).isEqualTo(ConfigEntry.ConfigSource.DEFAULT_CONFIG);
    assertThat(
            admin
                .listConfigResources(
                    Set.of(ConfigResource.Type.CLIENT_METRICS), new ListConfigResourcesOptions())
                .all()
                .get())
        .containsExactly(reports);
    assertFails(
        admin.incrementalAlterConfigs(Map.of(reports, List.of(set("interval.ms", "99")))).all(),
        InvalidRequestException.class);
  }

  @Test
  void describes_the_settings_of_groups_with_those_of_the_broker() throws Exception {
    Config config = describe(new ConfigResource(ConfigResource.Type.BROKER, "1"));
    assertThat(config.get("group.consumer.session.timeout.ms").value()).isEqualTo("45000");
    assertThat(config.get("group.streams.session.timeout.ms").value()).isEqualTo("45000");
    ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "app");
    assertThat(describe(group).get("streams.assignor.name").value()).isEqualTo("sticky");
    alter(group, "streams.num.standby.replicas", "1");
    assertThat(describe(group).get("streams.num.standby.replicas").value()).isEqualTo("1");
    assertThat(describe(group).get("streams.session.timeout.ms").value()).isEqualTo("45000");
  }

  @Test
  void describes_the_values_that_the_broker_goes_by_where_nobody_has_set_any() throws Exception {
    Config config = describe(new ConfigResource(ConfigResource.Type.BROKER, "1"));
    assertThat(config.get("node.id").value()).isEqualTo("1");
    assertThat(config.get("broker.id").value()).isEqualTo("1");
    assertThat(Integer.parseInt(config.get("num.network.threads").value())).isPositive();
    assertThat(config.get("transaction.state.log.min.isr").value()).isEqualTo("1");
    assertThat(config.get("listener.security.protocol.map").value())
        .isEqualTo("PLAINTEXT:PLAINTEXT");
    assertThat(config.get("producer.id.expiration.ms").value()).isEqualTo("86400000");
  }

  @Test
  void moves_a_replica_to_the_directory_where_it_is_and_to_no_unknown_one() throws Exception {
    TopicPartitionReplica replica = new TopicPartitionReplica("orders", 0, 1);
    String here = directory.toAbsolutePath().toString();
    admin.alterReplicaLogDirs(Map.of(replica, here)).all().get();
    assertFails(
        admin.alterReplicaLogDirs(Map.of(replica, "/no/such/directory")).all(),
        LogDirNotFoundException.class);
    assertFails(
        admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica("none", 0, 1), here)).all(),
        UnknownTopicOrPartitionException.class);
    assertThat(broker.log(orders, 0).directory().getParent()).isEqualTo(directory);
  }

  private void alter(ConfigResource resource, String config, String value) throws Exception {
    admin.incrementalAlterConfigs(Map.of(resource, List.of(set(config, value)))).all().get();
  }

  private static AlterConfigOp set(String config, String value) {
    return new AlterConfigOp(new ConfigEntry(config, value), AlterConfigOp.OpType.SET);
  }

  private Config describe(ConfigResource resource) throws Exception {
    return admin.describeConfigs(List.of(resource)).all().get().get(resource);
  }

  private static void assertFails(KafkaFuture<?> call, Class<? extends Throwable> with) {
    assertThatThrownBy(call::get).hasCauseInstanceOf(with);
  }
}
