package io.tidelog.store;

import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.disk.Disk;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which topic a partition's folder belongs to. Where its {@code partition.metadata} is damaged, the
 * one that the metadata have under its name; another sound id is that of another topic.
 */
final class FolderOwner {
  private final Surroundings around;
  private final Path folder;
  private final PartitionMetadata file;

  FolderOwner(Surroundings around, Path folder) {
    this.around = around;
    this.folder = folder;
    this.file = new PartitionMetadata(around.disk(), folder);
  }

  /**
   * The topic's id, {@link TopicId#ZERO} if nobody knows it.
   *
   * @param expected what the metadata have, or {@link TopicId#ZERO}
   */
  TopicId find(TopicId expected) throws IOException {
    String damage;
    try {
      Optional<TopicId> found = file.read();
      if (found.isPresent() && !found.get().isAlmost(expected)) {
        return found.get();
      }
      if (found.isEmpty() && expected.equals(TopicId.ZERO)) {
        return TopicId.ZERO; // nobody has ever named its topic
      }
      if (found.isEmpty() && !hasRecords()) {
        file.write(expected); // it was only just created
        return expected;
      }
      damage =
          found
              .map(id -> "has a partition.metadata with the id " + id)
              .orElse("has no partition.metadata");
    } catch (MalformedFileException malformed) {
      damage = "has an unreadable partition.metadata (" + malformed.finding() + ")";
    }
    if (expected.equals(TopicId.ZERO)) {
      tell(folder + " " + damage + ", and no topic of its name is known; restore the file");
      return TopicId.ZERO;
    }
    file.write(expected);
    tell(folder + " " + damage + "; it was written again with the topic's id, " + expected);
    return expected;
  }

  private boolean hasRecords() throws IOException {
    Disk disk = around.disk();
    for (String name : disk.list(folder)) {
      if (SegmentFiles.baseOffset(name, SegmentFiles.LOG).isPresent()
          && disk.sizeBytes(folder.resolve(name)) > 0) {
        return true;
      }
    }
    return false;
  }

  private void tell(String sentence) {
    around.events().happened(StoreEvents.Kind.REPAIRED, sentence);
  }
}
