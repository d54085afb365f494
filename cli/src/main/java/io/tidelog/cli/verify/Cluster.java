package io.tidelog.cli.verify;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.coordinator.StateRecordCheck;
import io.tidelog.disk.Disk;
import io.tidelog.topic.MetadataRecordCheck;
import io.tidelog.topic.SavedConfigs;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a check may know of the cluster besides the partitions' own files. */
public final class Cluster {
  private final Disk disk;
  private final Streams streams;

  public Cluster(Disk disk, Streams streams) {
    this.disk = disk;
    this.streams = streams;
  }

  /** Options that know the internal topics, and the topics that the metadata log names. */
  public VerifyOptions tell(List<Path> directories, VerifyOptions options) {
    VerifyOptions told =
        options.withRecords(
            topic -> MetadataRecordCheck.of(topic).or(() -> StateRecordCheck.of(topic)));
    return saved(directories).map(saved -> told.withTopics(saved.catalog())).orElse(told);
  }

  /** The check itself finds what is damaged here, so it goes on without. */
  private Optional<SavedConfigs> saved(List<Path> directories) {
    for (Path directory : directories) {
      try {
        Optional<SavedConfigs> saved = SavedConfigs.read(disk, dataDirectory(directory));
        if (saved.isPresent()) {
          return saved;
        }
      } catch (IOException unreadable) {
        streams
            .err()
            .println(
                "Topics are not compared with the metadata, which cannot be read: "
                    + unreadable.getMessage());
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static Path dataDirectory(Path directory) {
    Path full = directory.toAbsolutePath().normalize();
    boolean isPartition =
        full.getParent() != null
            && PartitionFolder.parse(full.getFileName().toString()).isPresent();
    return isPartition ? full.getParent() : full;
  }
}
