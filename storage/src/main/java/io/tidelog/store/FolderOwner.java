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
  /** Ids are drawn by chance: two that differ in so few characters are one, with a wrong bit. */
  private static final int MOST_WRONG_CHARACTERS = 2;

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
      if (found.isPresent() && !isDamaged(found.get(), expected)) {
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
              .map(id -> "belongs to a topic with the id " + id)
              .orElse("has no partition.metadata");
    } catch (MalformedFileException malformed) {
      damage = "is of an unknown topic: " + malformed.getMessage();
    }
    if (expected.equals(TopicId.ZERO)) {
      tell(folder + " " + damage + "; no topic of its name is known");
      return TopicId.ZERO;
    }
    file.write(expected);
    tell(folder + " " + damage + "; its partition.metadata was written again with " + expected);
    return expected;
  }

  private static boolean isDamaged(TopicId found, TopicId expected) {
    String one = found.toString();
    String other = expected.toString();
    int wrong = 0;
    for (int i = 0; i < one.length(); i++) {
      wrong += one.charAt(i) == other.charAt(i) ? 0 : 1;
    }
    return wrong > 0 && wrong <= MOST_WRONG_CHARACTERS;
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
