package io.tidelog.repair;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.LostOffsets;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The folder of a partition that is repaired.
 *
 * @param disk where it lies
 * @param partition whose it is
 * @param folder the folder
 * @param indexIntervalBytes bytes of log per index entry
 */
record Target(Disk disk, TopicPartition partition, Path folder, int indexIntervalBytes) {

  Path path(long baseOffset, String suffix) {
    return SegmentFiles.path(folder, baseOffset, suffix);
  }

  /** The base offsets of its logs as they are now. */
  NavigableSet<Long> logs() throws IOException {
    NavigableSet<Long> bases = new TreeSet<>();
    for (String name : disk.list(folder)) {
      SegmentFiles.baseOffset(name, SegmentFiles.LOG).ifPresent(bases::add);
    }
    return bases;
  }

  Segment.Setting setting() {
    return new Segment.Setting(disk, folder, indexIntervalBytes, 0, sentence -> {});
  }

  /** Something that is done with the segments of the log. */
  @FunctionalInterface
  interface Use {
    void of(List<Segment> segments) throws IOException;
  }

  /** Opens the segments for as long as something is done with them. */
  void withSegments(Use use) throws IOException {
    List<Segment> segments = new ArrayList<>();
    try {
      for (long base : logs()) {
        segments.add(Segment.open(setting(), base));
      }
      use.of(segments);
    } finally {
      for (Segment segment : segments) {
        segment.unpin();
      }
    }
  }

  /** Goes through the headers of the batches of a log that is sound by now. */
  void eachBatch(long baseOffset, Visitor visitor) throws IOException {
    try (DiskFile log = disk.openReadOnly(path(baseOffset, SegmentFiles.LOG))) {
      LogPart all = new LogPart(0, Math.toIntExact(log.sizeBytes()), baseOffset, LogPart.OPEN);
      SoundWalk walk =
          SoundWalk.over(log, new SoundWalk.Reading(all, SoundWalk.Trust.ALL, stretch -> {}));
      while (walk.next()) {
        visitor.visit(walk.position(), walk.batch());
      }
    }
  }

  /** Is shown the batches of a log. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Looks at one.
     *
     * @param position where it starts in its log
     * @param header valid for the call
     */
    void visit(int position, RecordBatch header) throws IOException;
  }

  /** The offset after the last batch of a log that is sound, its base offset if it has none. */
  long endOf(long baseOffset) throws IOException {
    long[] end = {baseOffset};
    eachBatch(baseOffset, (position, header) -> end[0] = header.nextOffset());
    return end[0];
  }

  /** Where the log ends: after its last sound batch, or where an empty last segment begins. */
  long end() throws IOException {
    NavigableSet<Long> bases = logs();
    return bases.isEmpty()
        ? 0
        : LogSurvey.read(disk, folder, bases.last(), LogPart.OPEN).nextOffset();
  }

  /** Whether a file in a partition's folder has the name of one that a broker reads. */
  static boolean isNameOfFile(Path file) {
    String name = file.getFileName().toString();
    return name.equals(LeaderEpochCheckpoint.FILE_NAME)
        || name.equals(PartitionMetadata.FILE_NAME)
        || name.equals(LostOffsets.FILE_NAME)
        || Stream.concat(SegmentFiles.DATA_SUFFIXES.stream(), Stream.of(SegmentFiles.SNAPSHOT))
            .anyMatch(suffix -> SegmentFiles.baseOffset(name, suffix).isPresent());
  }

  /** Removes a file durably, if it is there. */
  void remove(Path file) throws IOException {
    if (disk.exists(file)) {
      disk.delete(file);
      disk.syncDirectory(folder);
    }
  }
}
