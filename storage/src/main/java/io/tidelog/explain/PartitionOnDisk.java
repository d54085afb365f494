package io.tidelog.explain;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of a partition, and what the checkpoints of its data directory say of it. A broker may
 * be at work there: what it has only in memory is not seen.
 *
 * @param disk where the files lie
 * @param partition which partition
 * @param directory its folder
 * @param segments its segments, oldest first; at least one
 * @param start its log start offset
 */
public record PartitionOnDisk(
    Disk disk, TopicPartition partition, Path directory, List<SegmentOnDisk> segments, long start) {

  public PartitionOnDisk {
    segments = List.copyOf(segments);
  }

  /**
   * Looks the partition up in a data directory.
   *
   * @throws NoSuchFileException if it is not there
   */
  public static PartitionOnDisk find(Disk disk, Path dataDirectory, TopicPartition partition)
      throws IOException {
    Path directory = dataDirectory.resolve(partition.topic() + "-" + partition.partition());
    if (!disk.isDirectory(directory)) {
      throw new NoSuchFileException(directory.toString(), null, "no such partition");
    }
    List<SegmentOnDisk> segments = new ArrayList<>();
    for (String name : disk.list(directory)) {
      var base = SegmentFiles.baseOffset(name, SegmentFiles.LOG);
      if (base.isPresent()) {
        segments.add(SegmentOnDisk.at(disk, directory, base.getAsLong()));
      }
    }
    if (segments.isEmpty()) {
      throw new NoSuchFileException(
          directory.resolve("*" + SegmentFiles.LOG).toString(), null, "no segment");
    }
    long saved =
        new OffsetCheckpoint(disk, dataDirectory, OffsetCheckpoint.Kind.LOG_START)
            .read()
            .getOrDefault(partition, 0L);
    return new PartitionOnDisk(
        disk, partition, directory, segments, Math.max(saved, segments.get(0).baseOffset()));
  }

  /** The segment that is written to. */
  public SegmentOnDisk active() {
    return segments.get(segments.size() - 1);
  }

  /** The offset that the next record gets. */
  public long end() throws IOException {
    return Math.max(start, active().nextOffset());
  }

  /** The last segment whose base offset is at most this; the first one if there is none. */
  int floor(long offset) {
    int index = segments.size() - 1;
    while (index > 0 && segments.get(index).baseOffset() > offset) {
      index--;
    }
    return index;
  }

  /** The offset after the last one that a segment may hold. */
  long endOf(int index) throws IOException {
    return index + 1 < segments.size() ? segments.get(index + 1).baseOffset() : end();
  }
}
