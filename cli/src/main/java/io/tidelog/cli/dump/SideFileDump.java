package io.tidelog.cli.dump;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.EpochEntry;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/** The small files beside the logs, which their names alone tell apart. */
final class SideFileDump {
  private SideFileDump() {}

  /** The dump of a side file; empty if its name is not that of one. */
  static Optional<FileDump> of(Disk disk, Path file) {
    Path directory = file.getParent();
    String name = file.getFileName().toString();
    return switch (name) {
      case LeaderEpochCheckpoint.FILE_NAME -> Optional.of(rows -> epochs(disk, directory, rows));
      case PartitionMetadata.FILE_NAME -> Optional.of(rows -> topicId(disk, directory, rows));
      case MetaProperties.FILE_NAME -> Optional.of(rows -> owner(disk, directory, rows));
      case CleanShutdownMarker.FILE_NAME -> Optional.of(rows -> cleanStop(disk, directory, rows));
      default ->
          Arrays.stream(OffsetCheckpoint.Kind.values())
              .filter(kind -> kind.fileName().equals(name))
              .findFirst()
              .map(kind -> rows -> offsets(new OffsetCheckpoint(disk, directory, kind), rows));
    };
  }

  private static void offsets(OffsetCheckpoint checkpoint, Rows rows) throws IOException {
    checkpoint
        .read()
        .forEach(
            (partition, offset) ->
                rows.row(
                    Row.of("offset")
                        .with("topic", partition.topic())
                        .with("partition", partition.partition())
                        .with("offset", offset)));
  }

  private static void epochs(Disk disk, Path directory, Rows rows) throws IOException {
    for (EpochEntry entry : new LeaderEpochCheckpoint(disk, directory).read()) {
      rows.row(
          Row.of("epoch").with("epoch", entry.epoch()).with("startOffset", entry.startOffset()));
    }
  }

  private static void topicId(Disk disk, Path directory, Rows rows) throws IOException {
    Optional<TopicId> id = new PartitionMetadata(disk, directory).read();
    id.ifPresent(found -> rows.row(Row.of("topic").with("topicId", found.toString())));
  }

  private static void owner(Disk disk, Path directory, Rows rows) throws IOException {
    Optional<MetaProperties> owner = MetaProperties.read(disk, directory);
    owner.ifPresent(
        found -> {
          Row row =
              Row.of("owner").with("clusterId", found.clusterId()).with("nodeId", found.nodeId());
          found.directoryId().ifPresent(id -> row.with("directoryId", id.toString()));
          found.others().forEach(row::with);
          rows.row(row);
        });
  }

  private static void cleanStop(Disk disk, Path directory, Rows rows) throws IOException {
    OptionalLong epoch = new CleanShutdownMarker(disk, directory).brokerEpoch();
    Row row = Row.of("cleanStop");
    epoch.ifPresent(found -> row.with("brokerEpoch", found));
    rows.row(row);
  }
}
