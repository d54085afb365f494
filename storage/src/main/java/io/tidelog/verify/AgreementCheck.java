package io.tidelog.verify;

import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether what was named together agrees: data directories on whose they are, folders on which
 * partition each has, partitions of one topic on its id.
 */
final class AgreementCheck {
  private final Disk disk;
  private final FindingList findings;
  private final Map<Path, MetaProperties> identities = new LinkedHashMap<>();

  AgreementCheck(Disk disk, FindingList findings) {
    this.disk = disk;
    this.findings = findings;
  }

  /** One more data directory. */
  void addDirectory(Path directory) {
    try {
      MetaProperties.read(disk, directory)
          .ifPresent(identity -> identities.put(directory, identity));
    } catch (IOException toldByDirectoryCheck) {
      // It agrees with nothing, and is told already.
    }
  }

  /** Compares all of them, and these partitions. */
  void compare(List<PartitionContext> partitions) {
    compareIdentities();
    tellDoubles(partitions);
    compareTopicIds(partitions);
  }

  private void compareIdentities() {
    Map<TopicId, Path> ids = new HashMap<>();
    Optional<Map.Entry<Path, MetaProperties>> first = identities.entrySet().stream().findFirst();
    identities.forEach(
        (directory, identity) -> {
          MetaProperties other = first.orElseThrow().getValue();
          compare("cluster.id", directory, identity.clusterId(), other.clusterId());
          compare("node.id", directory, identity.nodeId(), other.nodeId());
          identity.directoryId().ifPresent(id -> tellIfTaken(id, directory, ids));
        });
  }

  private void compare(String key, Path directory, Object found, Object expected) {
    if (!Objects.equals(found, expected)) {
      Path first = identities.keySet().iterator().next();
      tell(
          FindingKind.IDENTITY_WRONG,
          directory.resolve(MetaProperties.FILE_NAME),
          key + " " + found,
          "%s, as %s has it".formatted(expected, first.resolve(MetaProperties.FILE_NAME)));
    }
  }

  private void tellIfTaken(TopicId id, Path directory, Map<TopicId, Path> ids) {
    Path other = ids.putIfAbsent(id, directory);
    if (other != null) {
      tell(
          FindingKind.IDENTITY_WRONG,
          directory.resolve(MetaProperties.FILE_NAME),
          "directory.id " + id,
          "another than that of " + other.resolve(MetaProperties.FILE_NAME));
    }
  }

  private void tellDoubles(List<PartitionContext> partitions) {
    Map<TopicPartition, Path> folders = new HashMap<>();
    for (PartitionContext context : partitions) {
      Path folder = context.files().folder();
      Path other = folders.put(context.partition(), folder);
      if (other != null) {
        tell(
            FindingKind.PARTITION_TWICE,
            folder,
            "the same partition as " + other,
            "one folder for it");
      }
    }
  }

  /** Where the metadata are known, each partition is compared with them instead. */
  private void compareTopicIds(List<PartitionContext> partitions) {
    Map<String, Map<TopicId, List<Path>>> topics = new TreeMap<>();
    for (PartitionContext context : partitions) {
      if (context.facts().isEmpty() && context.state().stop() != Stop.RUNNING) {
        Path folder = context.files().folder();
        idIn(folder)
            .ifPresent(
                id ->
                    topics
                        .computeIfAbsent(context.partition().topic(), t -> new LinkedHashMap<>())
                        .computeIfAbsent(id, i -> new ArrayList<>())
                        .add(folder));
      }
    }
    topics.values().forEach(this::tellFewer);
  }

  private Optional<TopicId> idIn(Path folder) {
    try {
      return new PartitionMetadata(disk, folder).read();
    } catch (IOException toldByFolderCheck) {
      return Optional.empty();
    }
  }

  /** The id that most partitions have is taken for the right one; of equals the first. */
  private void tellFewer(Map<TopicId, List<Path>> folders) {
    TopicId right =
        Collections.max(
                folders.entrySet(), Comparator.comparingInt(entry -> entry.getValue().size()))
            .getKey();
    folders.forEach(
        (id, wrong) -> {
          if (!id.equals(right)) {
            for (Path folder : wrong) {
              tell(
                  FindingKind.TOPIC_ID_WRONG,
                  folder.resolve(PartitionMetadata.FILE_NAME),
                  "topic id " + id,
                  "%s, as %s has it".formatted(right, folders.get(right).get(0).getFileName()));
            }
          }
        });
  }

  private void tell(FindingKind kind, Path path, String found, String expected) {
    findings.add(Finding.of(kind, path, 0, found, expected));
  }
}
