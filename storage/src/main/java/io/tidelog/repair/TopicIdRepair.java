package io.tidelog.repair;

import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.verify.TopicCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The id of a partition's topic is known elsewhere: to the metadata, or to other partitions. */
final class TopicIdRepair {
  private final Collection<Target> all;
  private final Optional<TopicCatalog> topics;

  /**
   * @param all the partitions in the directory
   * @param topics what the metadata say, if they are known
   */
  TopicIdRepair(Collection<Target> all, Optional<TopicCatalog> topics) {
    this.all = all;
    this.topics = topics;
  }

  /**
   * The step that writes it again; empty if nobody knows it. A sound id that is wholly another one
   * says that the records are another topic's, which they stay.
   */
  Optional<RepairStep> of(Target target) throws IOException {
    Path file = target.folder().resolve(PartitionMetadata.FILE_NAME);
    Optional<TopicId> found = idOf(target);
    return known(target)
        .filter(right -> found.isEmpty() || found.get().isAlmost(right))
        .map(
            id ->
                RepairStep.of(
                    Kind.RESTORE_TOPIC_ID,
                    file,
                    "write it again with the topic's id, " + id,
                    quarantine -> {
                      quarantine.keep(file);
                      new PartitionMetadata(target.disk(), target.folder()).write(id);
                    }));
  }

  private Optional<TopicId> known(Target target) throws IOException {
    Optional<TopicId> saved =
        topics
            .flatMap(catalog -> catalog.find(target.partition().topic()))
            .map(TopicCatalog.TopicFacts::id);
    return saved.isPresent() ? saved : ofSiblings(target);
  }

  private Optional<TopicId> ofSiblings(Target target) throws IOException {
    Set<TopicId> found = new HashSet<>();
    for (Target other : all) {
      if (other.partition().topic().equals(target.partition().topic())
          && !other.folder().equals(target.folder())) {
        idOf(other).ifPresent(found::add);
      }
    }
    return found.size() == 1 ? Optional.of(found.iterator().next()) : Optional.empty();
  }

  private static Optional<TopicId> idOf(Target other) throws IOException {
    try {
      return new PartitionMetadata(other.disk(), other.folder()).read();
    } catch (MalformedFileException damaged) {
      return Optional.empty();
    }
  }
}
