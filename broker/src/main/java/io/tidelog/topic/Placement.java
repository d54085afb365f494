package io.tidelog.topic;

import java.util.Collection;
import java.util.HashSet;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.writer.ImageWriterOptions;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Where partitions go. There is one node, so only a wish for exactly that node can be met. */
final class Placement {
  private final NodeIdentity node;
  private final int defaultPartitions;

  Placement(NodeIdentity node, int defaultPartitions) {
    this.node = node;
    this.defaultPartitions = defaultPartitions;
  }

  /**
   * The number of partitions of a new topic.
   *
   * @throws org.apache.kafka.common.errors.ApiException if the wish cannot be met
   */
  int partitionsOf(NewTopic wish) {
    return wish.assignments().isEmpty() ? counted(wish) : assigned(wish);
  }

  private int counted(NewTopic wish) {
    int replicationFactor = wish.replicationFactor();
    if (replicationFactor < NewTopic.DEFAULT || replicationFactor == 0) {
      throw new InvalidReplicationFactorException(
          "Replication factor must be larger than 0, or -1 to use the default value.");
    }
    int partitions = wish.partitions();
    if (partitions < NewTopic.DEFAULT || partitions == 0) {
      throw new InvalidPartitionsException(
          "Number of partitions must be larger than 0, or -1 to use the default value.");
    }
    if (replicationFactor > 1) {
      throw new InvalidReplicationFactorException(
          "Unable to replicate the partition "
              + replicationFactor
              + " time(s): this cluster has 1 broker.");
    }
    return partitions == NewTopic.DEFAULT ? defaultPartitions : partitions;
  }

  private int assigned(NewTopic wish) {
    if (wish.replicationFactor() != NewTopic.DEFAULT) {
      throw new InvalidRequestException(
          "With a manual partition assignment the replication factor must be -1.");
    }
    if (wish.partitions() != NewTopic.DEFAULT) {
      throw new InvalidRequestException(
          "With a manual partition assignment the number of partitions must be -1.");
    }
    TreeSet<Integer> numbers = new TreeSet<>();
    for (NewTopic.Assignment assignment : wish.assignments()) {
      if (!numbers.add(assignment.partition())) {
        throw new InvalidReplicaAssignmentException(
            "Found multiple manual partition assignments for partition "
                + assignment.partition()
                + ".");
      }
      checkReplicas(assignment.nodes());
    }
    if (numbers.first() != 0 || numbers.last() != numbers.size() - 1) {
      throw new InvalidReplicaAssignmentException(
          "The partitions of a manual assignment must be numbered from 0 without gaps.");
    }
    return numbers.size();
  }

  /**
   * @throws InvalidReplicaAssignmentException if a partition cannot be on these nodes
   */
  void checkReplicas(Collection<Integer> nodes) {
    if (nodes.isEmpty()) {
      throw new InvalidReplicaAssignmentException(
          "The manual partition assignment includes an empty replica list.");
    }
    for (int id : nodes) {
      if (id != node.nodeId()) {
        throw new InvalidReplicaAssignmentException(
            "The manual partition assignment includes broker "
                + id
                + ", but no such broker is registered.");
      }
    }
    if (new HashSet<>(nodes).size() < nodes.size()) {
      throw new InvalidReplicaAssignmentException(
          "The manual partition assignment includes the broker "
              + node.nodeId()
              + " more than once.");
    }
  }

  /** The record of a new partition, on this node alone. */
  ApiMessageAndVersion record(MetadataImage image, Uuid topic, int partition) {
    int[] nodes = {node.nodeId()};
    return new PartitionRegistration.Builder()
        .setReplicas(nodes)
        .setIsr(nodes)
        .setDirectories(new Uuid[] {node.directoryOfNewPartitions()})
        .setLeader(node.nodeId())
        .setLeaderRecoveryState(LeaderRecoveryState.RECOVERED)
        .setLeaderEpoch(0)
        .setPartitionEpoch(0)
        .build()
        .toRecord(
            topic,
            partition,
            new ImageWriterOptions.Builder(image.features().metadataVersionOrThrow())
                .setEligibleLeaderReplicasEnabled(image.features().isElrEnabled())
                .build());
  }
}
