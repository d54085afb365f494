package io.tidelog.cli.explain;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.cli.client.BrokerOptions;
import io.tidelog.cli.client.TopicAdmin;
import io.tidelog.cli.terminal.CommandException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;

/** What a broker that runs says about a partition. */
final class RunningBroker {
  private final TopicAdmin admin;
  private final BrokerOptions options;

  RunningBroker(TopicAdmin admin, BrokerOptions options) {
    this.admin = admin;
    this.options = options;
  }

  private Admin client() {
    return admin.admin();
  }

  private static org.apache.kafka.common.TopicPartition kafkas(TopicPartition partition) {
    return new org.apache.kafka.common.TopicPartition(partition.topic(), partition.partition());
  }

  String clusterId() {
    return admin.await(
        "the cluster could not be described", client().describeCluster().clusterId());
  }

  /** The data directory of the partition's leader. */
  Path directoryOf(TopicPartition partition) {
    int leader = leaderOf(partition);
    Map<String, LogDirDescription> directories =
        admin.await(
            "the data directories could not be described",
            client().describeLogDirs(List.of(leader)).descriptions().get(leader));
    return directories.entrySet().stream()
        .filter(entry -> entry.getValue().replicaInfos().containsKey(kafkas(partition)))
        .map(entry -> Path.of(entry.getKey()))
        .findFirst()
        .orElseThrow(
            () ->
                CommandException.unreachable(
                    "no data directory of the broker at %s has %s"
                        .formatted(options.bootstrap(), partition)));
  }

  private int leaderOf(TopicPartition partition) {
    var topic =
        admin.await(
            partition + " could not be described",
            client()
                .describeTopics(List.of(partition.topic()))
                .topicNameValues()
                .get(partition.topic()));
    return topic.partitions().stream()
        .filter(info -> info.partition() == partition.partition())
        .map(info -> Optional.ofNullable(info.leader()).map(Node::id))
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(
            () -> CommandException.unreachable(partition + " does not exist, or has no leader"));
  }

  /** A topic's settings, defaults included. */
  Map<String, String> settingsOf(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<String, String> values = new TreeMap<>();
    for (ConfigEntry entry :
        admin
            .await(
                topic + " could not be described",
                client().describeConfigs(List.of(resource)).values().get(resource))
            .entries()) {
      if (entry.value() != null) {
        values.put(entry.name(), entry.value());
      }
    }
    return values;
  }

  /** The last stable offset, or the high watermark. */
  long latest(TopicPartition partition, IsolationLevel isolation) {
    return admin
        .await(
            "the offsets of " + partition + " could not be listed",
            client()
                .listOffsets(
                    Map.of(kafkas(partition), OffsetSpec.latest()),
                    new ListOffsetsOptions(isolation))
                .partitionResult(kafkas(partition)))
        .offset();
  }

  /**
   * The producers that have an open transaction in the partition, the one that began first first.
   */
  List<ProducerState> openTransactions(TopicPartition partition) {
    return admin
        .await(
            "the producers of " + partition + " could not be described",
            client()
                .describeProducers(List.of(kafkas(partition)))
                .partitionResult(kafkas(partition)))
        .activeProducers()
        .stream()
        .filter(producer -> producer.currentTransactionStartOffset().isPresent())
        .sorted(
            Comparator.comparingLong(
                producer -> producer.currentTransactionStartOffset().getAsLong()))
        .toList();
  }

  /** The transactional id of a producer, if a coordinator knows it. */
  Optional<String> transactionalId(long producerId) {
    return admin
        .await(
            "the transactions could not be listed",
            client()
                .listTransactions(
                    new ListTransactionsOptions().filterProducerIds(Set.of(producerId)))
                .all())
        .stream()
        .map(TransactionListing::transactionalId)
        .findFirst();
  }

  TransactionDescription transaction(String transactionalId) {
    return admin.await(
        "the transaction of " + transactionalId + " could not be described",
        client().describeTransactions(List.of(transactionalId)).description(transactionalId));
  }
}
