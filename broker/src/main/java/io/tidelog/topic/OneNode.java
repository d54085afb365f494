package io.tidelog.topic;

import io.tidelog.checkpoint.StateFile;
import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;

/** What the metadata of a cluster must be so that this one node can serve it alone. */
final class OneNode {
  private static final String QUORUM_STATE = "quorum-state";
  private static final int QUORUM_STATE_BYTES = 1 << 20;
  private static final Pattern VOTER = Pattern.compile("\"voterId\"\\s*:\\s*(-?[0-9]{1,10})");
  private static final String TIERED = "remote.storage.enable";

  private final NodeIdentity node;
  private final ConfigLookup configs;

  OneNode(NodeIdentity node, ConfigLookup configs) {
    this.node = node;
    this.configs = configs;
  }

  /** Kafka's file beside the metadata log; it names the voters unless these stand in the log. */
  void checkQuorumState(Disk disk, Path metadata) throws IOException {
    Path file = metadata.resolve(QUORUM_STATE);
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .decode(new StateFile(disk, file, QUORUM_STATE_BYTES).read())
              .toString();
    } catch (NoSuchFileException neverRunByKafka) {
      return;
    }
    Set<Integer> voters = new TreeSet<>();
    Matcher matcher = VOTER.matcher(text);
    while (matcher.find()) {
      voters.add((int) Long.parseLong(matcher.group(1)));
    }
    requireOnlyUs(file + " names the voters", voters);
  }

  void check(Path metadata, Quorum quorum) throws RefusedDirectoryException {
    requireOnlyUs(metadata + " names the voters", quorum.electors());
  }

  void check(Path metadata, MetadataImage image) throws RefusedDirectoryException {
    requireOnlyUs(metadata + " has the brokers", image.cluster().brokers().keySet());
    requireOnlyUs(metadata + " has the controllers", image.cluster().controllers().keySet());
    for (TopicImage topic : image.topics().topicsById().values()) {
      for (Map.Entry<Integer, PartitionRegistration> partition : topic.partitions().entrySet()) {
        check(topic.name() + "-" + partition.getKey(), partition.getValue());
      }
      checkConfigs(image, topic.name());
    }
  }

  private void requireOnlyUs(String found, Collection<Integer> nodes)
      throws RefusedDirectoryException {
    if (nodes.stream().anyMatch(id -> id != node.nodeId())) {
      throw new RefusedDirectoryException(
          "%s %s, expected %d alone: a cluster of several nodes cannot be served; take the others out with Kafka first."
              .formatted(found, new TreeSet<>(nodes), node.nodeId()));
    }
  }

  private void check(String name, PartitionRegistration partition)
      throws RefusedDirectoryException {
    for (int replica : partition.replicas) {
      if (replica != node.nodeId()) {
        throw new RefusedDirectoryException(
            "Partition %s has a replica on node %d, expected node %d alone; reassign it with Kafka first."
                .formatted(name, replica, node.nodeId()));
      }
    }
    for (Uuid directory : partition.directories) {
      if (!DirectoryId.reserved(directory) && !node.directoryIds().containsValue(directory)) {
        throw new RefusedDirectoryException(
            "Partition %s lies in the data directory with the id %s, which is not among %s; name all of Kafka's log.dirs."
                .formatted(name, directory, node.directoryIds().keySet()));
      }
    }
  }

  private void checkConfigs(MetadataImage image, String topic) throws RefusedDirectoryException {
    Map<String, String> own = image.configs().configMapForResource(ConfigLookup.topic(topic));
    if (Boolean.parseBoolean(own.getOrDefault(TIERED, "false").trim())) {
      throw new RefusedDirectoryException(
          "Topic %s has %s=true: what lies in remote storage cannot be served; bring it back with Kafka first."
              .formatted(topic, TIERED));
    }
    try {
      configs.logSettings(image.configs(), own);
    } catch (IllegalArgumentException e) {
      throw new RefusedDirectoryException(
          "Topic %s cannot be served: %s; alter it with Kafka first."
              .formatted(topic, e.getMessage()),
          e);
    }
  }
}
