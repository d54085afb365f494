package io.tidelog.topic;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.LogSettings;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;

/**
 * Decides whether data directories can be served, whoever left them: this program, or Kafka after a
 * clean stop or another end. Reads only; what is refused is as it was.
 */
public final class Admission {
  private static final String LOCK = ".lock";
  private static final byte OLDEST_FORMAT = RecordBatch.MAGIC;
  private static final int OLD_SIZE_AT = 8;
  private static final int OLD_CRC_AT = 12;

  private final Disk disk;
  private final List<Path> directories;
  private final ServerSettings server;
  private MetadataImage admitted = MetadataImage.EMPTY;

  /**
   * @param directories all data directories; they need not exist
   * @param server the server's settings
   */
  public Admission(Disk disk, List<Path> directories, ServerSettings server) {
    this.disk = disk;
    this.directories = directories.stream().filter(disk::isDirectory).toList();
    this.server = server;
  }

  /**
   * Looks at the directories.
   *
   * @param wantedNodeId node.id where the settings name one
   * @return the settings to open each partition's log with
   * @throws RefusedDirectoryException if they cannot be served
   * @throws io.tidelog.disk.DiskLockedException if somebody serves one of them
   * @throws IOException if a file cannot be read, or is malformed
   */
  public Function<TopicPartition, LogSettings> admit(OptionalInt wantedNodeId) throws IOException {
    requireNotInUse();
    Optional<NodeIdentity> identity = IdentityFiles.read(disk, directories, wantedNodeId);
    Map<TopicPartition, Path> folders = folders(identity);
    Path metadata = folders.remove(MetadataLog.PARTITION);
    if (metadata == null) {
      requireNoneWithoutMetadata(folders);
      return settings(new ConfigLookup(server.explicit(), 0), ConfigurationsImage.EMPTY);
    }
    if (!new MetadataFolder(disk, metadata).hasLog()) {
      requireNoneWithoutMetadata(folders);
    }
    NodeIdentity node = identity.orElseThrow();
    ConfigLookup configs = new ConfigLookup(server.explicit(), node.nodeId());
    MetadataReplay replay = read(metadata);
    MetadataImage image = admitMetadata(metadata, replay, new OneNode(node, configs));
    requireNothingLost(metadata, replay, image, folders.values());
    for (Path folder : folders.values()) {
      checkFormat(folder);
    }
    admitted = image;
    return settings(configs, image.configs());
  }

  /** After {@link #admit}: the topic that a partition belongs to by its name. */
  public Function<TopicPartition, TopicId> topicIds() {
    MetadataImage image = admitted;
    return partition -> {
      if (partition.equals(MetadataLog.PARTITION)) {
        return MetadataLog.TOPIC_ID;
      }
      TopicImage topic = image.topics().getTopic(partition.topic());
      return topic == null || !topic.partitions().containsKey(partition.partition())
          ? TopicId.ZERO
          : Ids.topicId(topic.id());
    };
  }

  /** What somebody is changing cannot be judged. Whoever serves a directory has made its lock. */
  private void requireNotInUse() throws IOException {
    for (Path directory : directories) {
      Path lock = directory.resolve(LOCK);
      if (disk.exists(lock)) {
        disk.lock(lock).close();
      }
    }
  }

  private MetadataImage admitMetadata(Path folder, MetadataReplay replay, OneNode rules)
      throws IOException {
    rules.checkQuorumState(disk, folder);
    rules.check(folder, replay.quorum());
    MetadataImage image = replay.image();
    rules.check(folder, image);
    return image;
  }

  private Function<TopicPartition, LogSettings> settings(
      ConfigLookup lookup, ConfigurationsImage configs) {
    return partition ->
        partition.equals(MetadataLog.PARTITION)
            ? server.metadataLog()
            : lookup.logSettings(
                configs, configs.configMapForResource(ConfigLookup.topic(partition.topic())));
  }

  /** The folders of partitions in service. */
  private Map<TopicPartition, Path> folders(Optional<NodeIdentity> identity) throws IOException {
    Map<TopicPartition, Path> folders = new TreeMap<>();
    for (Path directory : directories) {
      for (String name : disk.list(directory)) {
        Optional<PartitionFolder> folder = PartitionFolder.parse(name);
        Path path = directory.resolve(name);
        if (folder.isEmpty()
            || folder.get().state() != PartitionFolder.State.LIVE
            || !disk.isDirectory(path)) {
          continue;
        }
        if (identity.isEmpty() || !identity.get().directoryIds().containsKey(directory)) {
          throw new RefusedDirectoryException(
              "%s holds partitions but no meta.properties, which says whose they are; restore that file."
                  .formatted(directory));
        }
        Path other = folders.put(folder.get().partition(), path);
        if (other != null) {
          throw new RefusedDirectoryException(
              "%s and %s are the same partition: two data directories hold this partition; move one of the folders away."
                  .formatted(other, path));
        }
      }
    }
    return folders;
  }

  private static void requireNoneWithoutMetadata(Map<TopicPartition, Path> folders)
      throws RefusedDirectoryException {
    if (!folders.isEmpty()) {
      throw new RefusedDirectoryException(
          "%s and %d more partitions are here, but no log in %s, which says which topics there are; restore that folder, or move it here if metadata.log.dir named another place."
              .formatted(
                  folders.values().iterator().next(),
                  folders.size() - 1,
                  MetadataLog.PARTITION.folderName()));
    }
  }

  private MetadataReplay read(Path metadata) throws IOException {
    MetadataReplay replay = new MetadataFolder(disk, metadata).read();
    boolean wasStoppedCleanly =
        new CleanShutdownMarker(disk, metadata.toAbsolutePath().getParent()).exists();
    if (wasStoppedCleanly && replay.damage().isPresent()) {
      throw new RefusedDirectoryException(
          replay.damage().get().getMessage()
              + ", though the last stop was a clean one; restore the folder.",
          replay.damage().get());
    }
    if (wasStoppedCleanly) {
      requireWhole(metadata, replay);
    }
    return replay;
  }

  /**
   * A crash may tear the end of the metadata log. But where sound metadata follow the damage, or
   * what is lost was on disk before, and partitions are here whose topics stand in it, to go on
   * would be to forget them.
   */
  private void requireNothingLost(
      Path metadata, MetadataReplay replay, MetadataImage image, Collection<Path> partitions)
      throws IOException {
    Optional<String> loss = loss(metadata, replay);
    if (loss.isEmpty()) {
      return;
    }
    for (Path folder : partitions) {
      Optional<TopicId> topic = new PartitionMetadata(disk, folder).read();
      if (topic.isPresent() && image.topics().getTopic(Ids.uuid(topic.get())) == null) {
        throw new RefusedDirectoryException(
            "%s, and among what is lost is the topic of %s. Restore the folder of the metadata log."
                .formatted(loss.get(), folder));
      }
    }
  }

  /** What of the metadata is lost that no crash explains. */
  private Optional<String> loss(Path metadata, MetadataReplay replay) throws IOException {
    Optional<CorruptLogException> damage = replay.damage();
    if (damage.isPresent() && isInTheMiddle(damage.get())) {
      return Optional.of(damage.get().getMessage() + "; sound metadata follow it");
    }
    long end = notedEnd(metadata.toAbsolutePath().getParent());
    return replay.end() < end
        ? Optional.of(
            "%s ends at offset %d, expected at least %d, up to where it was on disk"
                .formatted(metadata, replay.end(), end))
        : Optional.empty();
  }

  private boolean isInTheMiddle(CorruptLogException damage) throws IOException {
    try (DiskFile log = disk.openReadOnly(damage.file())) {
      return SoundBatches.isAnyIn(
          log, (int) damage.position(), (int) disk.sizeBytes(damage.file()));
    }
  }

  private void requireWhole(Path metadata, MetadataReplay replay) throws IOException {
    long end = notedEnd(metadata.toAbsolutePath().getParent());
    if (replay.end() < end) {
      throw new RefusedDirectoryException(
          "%s ends at offset %d, expected %d, where it ended at the last clean stop; restore the folder."
              .formatted(metadata, replay.end(), end));
    }
  }

  /** Where a clean stop of ours has left the metadata log; Kafka notes nothing of it. */
  private long notedEnd(Path directory) throws IOException {
    try {
      return new OffsetCheckpoint(disk, directory, OffsetCheckpoint.Kind.RECOVERY_POINT)
          .read()
          .getOrDefault(MetadataLog.PARTITION, 0L);
    } catch (MalformedFileException toldWhenItIsOpened) {
      return 0;
    }
  }

  /**
   * The oldest records come first, so one look tells whether a log began in an older format: if
   * they match their CRC, and are not damage that looks so.
   */
  private void checkFormat(Path folder) throws IOException {
    for (String name : disk.list(folder)) {
      Path file = folder.resolve(name);
      if (SegmentFiles.baseOffset(name, SegmentFiles.LOG).isEmpty() || disk.isDirectory(file)) {
        continue;
      }
      try (DiskFile log = disk.openReadOnly(file)) {
        ByteBuffer start = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
        boolean isWhole = log.read(start, 0) == RecordBatch.HEADER_BYTES;
        byte format = start.get(RecordBatch.MAGIC_AT);
        if (isWhole && format >= 0 && format < OLDEST_FORMAT && isOldMessage(log, start)) {
          throw new RefusedDirectoryException(
              "%s begins with records in format version %d, which only Kafka reads; the oldest that is served here is %d."
                  .formatted(file, format, OLDEST_FORMAT));
        }
      }
      return;
    }
  }

  /** An entry of an old format: offset, size, and a message that begins with its CRC-32. */
  private static boolean isOldMessage(DiskFile log, ByteBuffer start) throws IOException {
    int messageBytes = start.getInt(OLD_SIZE_AT);
    int checkedBytes = messageBytes - Integer.BYTES;
    if (checkedBytes <= 0 || checkedBytes > log.sizeBytes()) {
      return false;
    }
    ByteBuffer checked = ByteBuffer.allocate(checkedBytes);
    log.read(checked, OLD_CRC_AT + Integer.BYTES);
    CRC32 crc = new CRC32();
    crc.update(checked.flip());
    return (int) crc.getValue() == start.getInt(OLD_CRC_AT);
  }
}
