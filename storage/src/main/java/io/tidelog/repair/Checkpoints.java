package io.tidelog.repair;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.producer.OffsetRange;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The checkpoints of a data directory: what they say, and how they become right again. */
final class Checkpoints {
  private static final Set<FindingKind> UNREADABLE =
      EnumSet.of(
          FindingKind.RECOVERY_POINTS_UNREADABLE,
          FindingKind.STARTS_UNREADABLE,
          FindingKind.CHECKPOINT_UNREADABLE);
  private static final Set<FindingKind> WRONG_LINE =
      EnumSet.of(
          FindingKind.START_PAST_END, FindingKind.OFFSET_PAST_END, FindingKind.CHECKPOINT_MISNAMED);

  private final Disk disk;
  private final Path directory;
  private final Map<TopicPartition, Target> partitions;
  private final Map<Kind, Map<TopicPartition, Long>> offsets = new EnumMap<>(Kind.class);
  private final Set<TopicPartition> readable;
  private final boolean isClean;

  private Checkpoints(
      Disk disk,
      Path directory,
      Map<TopicPartition, Target> partitions,
      Set<TopicPartition> readable) {
    this.readable = readable;
    this.disk = disk;
    this.directory = directory;
    this.partitions = partitions;
    this.isClean = new CleanShutdownMarker(disk, directory).exists();
  }

  /**
   * Reads them, as far as they can be read.
   *
   * @param partitions what lies in the directory
   * @param readable those whose logs can be read; of the others the lines stay as they are
   */
  static Checkpoints read(
      Disk disk,
      Path directory,
      Map<TopicPartition, Target> partitions,
      Set<TopicPartition> readable)
      throws IOException {
    Checkpoints checkpoints = new Checkpoints(disk, directory, partitions, readable);
    for (Kind kind : Kind.values()) {
      checkpoints.offsets.put(kind, checkpoints.readLines(kind));
    }
    return checkpoints;
  }

  private Path file(Kind kind) {
    return directory.resolve(kind.fileName());
  }

  private Map<TopicPartition, Long> readLines(Kind kind) throws IOException {
    OffsetCheckpoint checkpoint = new OffsetCheckpoint(disk, directory, kind);
    try {
      return checkpoint.read();
    } catch (MalformedFileException damaged) {
      return checkpoint.readSound(partitions::containsKey);
    }
  }

  /** Whether they were written by a clean stop, after the last record. */
  boolean areOfCleanStop() {
    return isClean;
  }

  /** What a checkpoint says of a partition; 0 if it says nothing. */
  long offset(Kind kind, TopicPartition partition) {
    return offsets.get(kind).getOrDefault(partition, 0L);
  }

  /**
   * Whether it is the recovery point that is wrong, where a log ends before it: the high watermark
   * and the last producer snapshot know the end that the log has.
   */
  boolean isWrong(Finding endMissing) {
    OffsetRange missing = endMissing.offsets().orElseThrow();
    Path folder =
        disk.isDirectory(endMissing.file()) ? endMissing.file() : endMissing.file().getParent();
    TopicPartition partition = partitionOf(folder);
    return partition != null
        && offset(Kind.HIGH_WATERMARK, partition) == missing.start()
        && disk.exists(SegmentFiles.path(folder, missing.start(), SegmentFiles.SNAPSHOT));
  }

  private TopicPartition partitionOf(Path folder) {
    return partitions.entrySet().stream()
        .filter(entry -> entry.getValue().folder().equals(folder))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /** What is to be done. */
  List<RepairStep> steps(List<Finding> findings) {
    List<RepairStep> steps = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      boolean isWrong =
          findings.stream()
              .anyMatch(
                  finding ->
                      (finding.file().equals(file(kind))
                              && (UNREADABLE.contains(finding.kind())
                                  || WRONG_LINE.contains(finding.kind())))
                          || (kind == Kind.RECOVERY_POINT
                              && finding.kind() == FindingKind.END_MISSING
                              && isWrong(finding)));
      if (isWrong) {
        steps.add(
            RepairStep.of(
                RepairStep.Kind.REWRITE_CHECKPOINT,
                file(kind),
                "write it again: " + what(kind),
                quarantine -> rewrite(kind, quarantine)));
      }
    }
    return steps;
  }

  private static String what(Kind kind) {
    return switch (kind) {
      case RECOVERY_POINT ->
          "after a clean stop each log's end; else nothing, so that all is read again";
      case LOG_START ->
          "the lines that can be right; a log without one begins with its first segment, so that"
              + " deleted records may come back";
      case HIGH_WATERMARK -> "the lines that can be right, and for the rest the log's end";
      case CLEANER -> "the lines that can be right; the rest is compacted again";
    };
  }

  private void rewrite(Kind kind, Quarantine quarantine) throws IOException {
    quarantine.keep(file(kind));
    Map<TopicPartition, Long> lines = new TreeMap<>();
    for (Map.Entry<TopicPartition, Target> entry : partitions.entrySet()) {
      Long line = line(kind, entry.getKey(), entry.getValue());
      if (line != null) {
        lines.put(entry.getKey(), line);
      }
    }
    new OffsetCheckpoint(disk, directory, kind).write(lines);
  }

  private Long line(Kind kind, TopicPartition partition, Target target) throws IOException {
    Long known = offsets.get(kind).get(partition);
    if (!readable.contains(partition)) {
      return known;
    }
    long end = target.end();
    return switch (kind) {
      case RECOVERY_POINT -> isClean ? (Long) end : null;
      case HIGH_WATERMARK -> known == null || known > end ? (Long) end : known;
      case LOG_START, CLEANER -> known != null && known <= end ? known : null;
    };
  }
}
