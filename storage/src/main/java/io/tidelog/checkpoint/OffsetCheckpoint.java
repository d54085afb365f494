package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One offset for each partition of a data directory.
 *
 * <pre>
 *  line     field                     meaning
 *     1     version                   0
 *     2     count                     how many lines follow
 *  3, 4, …  topic partition offset    separated by one space; offset from 0
 * </pre>
 *
 * If a partition stands there twice the later line counts.
 */
public final class OffsetCheckpoint {

  /** Which offset, and so which file. */
  public enum Kind {
    /**
     * All below it is known to be on disk and sound; only what follows is checked after a crash.
     */
    RECOVERY_POINT("recovery-point-offset-checkpoint"),
    /**
     * The first offset that readers may see, where it lies past the first segment's base offset.
     */
    LOG_START("log-start-offset-checkpoint"),
    HIGH_WATERMARK("replication-offset-checkpoint"),
    /** Compaction has been done below it. */
    CLEANER("cleaner-offset-checkpoint");

    private final String fileName;

    Kind(String fileName) {
      this.fileName = fileName;
    }

    public String fileName() {
      return fileName;
    }
  }

  private final CheckpointLines<Map.Entry<TopicPartition, Long>> lines;

  public OffsetCheckpoint(Disk disk, Path dataDirectory, Kind kind) {
    Path file = dataDirectory.resolve(kind.fileName);
    this.lines =
        new CheckpointLines<>(
            new StateFile(disk, file, CheckpointLines.maxBytes()), new EntryFormat());
  }

  /**
   * The offsets in file order; none if the file is missing.
   *
   * @throws MalformedFileException if the file breaks its format
   */
  public Map<TopicPartition, Long> read() throws IOException {
    Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
    lines.read().forEach(entry -> offsets.put(entry.getKey(), entry.getValue()));
    return offsets;
  }

  /**
   * The offsets of a damaged file that can be read all the same, in file order.
   *
   * @param here of which partitions
   */
  public Map<TopicPartition, Long> readSound(Predicate<TopicPartition> here) throws IOException {
    Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
    lines
        .readSound(entry -> here.test(entry.getKey()))
        .forEach(entry -> offsets.put(entry.getKey(), entry.getValue()));
    return offsets;
  }

  /**
   * Refuses an empty file. Kafka creates it so, and writes it within its first minute and at each
   * stop.
   *
   * @throws MalformedFileException if the file is there and empty
   */
  public void requireWritten() throws IOException {
    lines.requireNotEmpty();
  }

  /** Whether there is such a file. */
  public boolean exists() {
    return lines.exists();
  }

  /** Replaces the file, durably. */
  public void write(Map<TopicPartition, Long> offsets) throws IOException {
    lines.write(offsets.entrySet());
  }

  private static final class EntryFormat
      implements CheckpointLines.Format<Map.Entry<TopicPartition, Long>> {
    @Override
    public void append(StringBuilder line, Map.Entry<TopicPartition, Long> entry) {
      TopicPartition partition = entry.getKey();
      line.append(partition.topic()).append(' ').append(partition.partition());
      line.append(' ').append(entry.getValue().longValue());
    }

    @Override
    public Map.Entry<TopicPartition, Long> parse(String[] fields) {
      CheckpointLines.requireFields(fields, 3);
      return Map.entry(
          new TopicPartition(fields[0], CheckpointLines.number(fields[1])),
          CheckpointLines.offset(fields[2]));
    }

    @Override
    public String expected() {
      return "topic, partition and offset";
    }

    @Override
    public String advice() {
      return "Restore it, or move it away: its offsets are then found from the segments.";
    }
  }
}
