package io.tidelog.cli.explain;

import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.cli.client.BrokerOptions;
import io.tidelog.cli.client.TopicAdmin;
import io.tidelog.cli.terminal.CommandException;
import io.tidelog.disk.Disk;
import io.tidelog.explain.PartitionOnDisk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which partition, and where it is: options of the commands that explain one. */
final class Where {

  @Parameters(index = "0", paramLabel = "TOPIC-N", description = "The partition.")
  private String partitionName;

  @Option(
      names = "--dir",
      paramLabel = "DATA",
      description = "The data directory to look at. Without it a broker is asked.")
  private Path dataDirectory;

  @Mixin private BrokerOptions broker;

  boolean isDirectory() {
    return dataDirectory != null;
  }

  Path dataDirectory() {
    return dataDirectory;
  }

  BrokerOptions broker() {
    return broker;
  }

  TopicPartition partition() {
    return PartitionFolder.parse(partitionName)
        .filter(folder -> folder.state() == PartitionFolder.State.LIVE)
        .map(PartitionFolder::partition)
        .orElseThrow(
            () ->
                CommandException.usage(
                    "\"%s\" is no partition, expected a topic's name and a number such as orders-0"
                        .formatted(partitionName)));
  }

  /**
   * The partition's files.
   *
   * @throws CommandException if they are not there, or not on this machine
   */
  PartitionOnDisk files(Disk disk) throws IOException {
    TopicPartition partition = partition();
    Path directory = isDirectory() ? dataDirectory : directoryOfBroker(disk, partition);
    try {
      return PartitionOnDisk.find(disk, directory, partition);
    } catch (NoSuchFileException missing) {
      throw CommandException.unreachable(
          missing.getFile() + ": " + missing.getReason() + "; --dir names a data directory");
    }
  }

  private Path directoryOfBroker(Disk disk, TopicPartition partition) throws IOException {
    try (TopicAdmin admin = TopicAdmin.open(broker)) {
      RunningBroker running = new RunningBroker(admin, broker);
      String clusterId = running.clusterId();
      Path directory = running.directoryOf(partition);
      Optional<MetaProperties> owner =
          disk.isDirectory(directory) ? MetaProperties.read(disk, directory) : Optional.empty();
      if (owner.isEmpty() || !owner.get().clusterId().equals(clusterId)) {
        throw CommandException.unreachable(
            "the broker at %s has %s in %s, which is not on this machine; run this where the broker runs"
                .formatted(broker.bootstrap(), partition, directory));
      }
      return directory;
    }
  }
}
