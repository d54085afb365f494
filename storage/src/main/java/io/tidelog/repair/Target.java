package io.tidelog.repair;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

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
    return offsets(SegmentFiles.LOG);
  }

  /** The offsets that its files with a suffix are named by. */
  NavigableSet<Long> offsets(String suffix) throws IOException {
    NavigableSet<Long> bases = new TreeSet<>();
    for (String name : disk.list(folder)) {
      SegmentFiles.baseOffset(name, suffix).ifPresent(bases::add);
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

  /** Removes a file durably, if it is there. */
  void remove(Path file) throws IOException {
    if (disk.exists(file)) {
      disk.delete(file);
      disk.syncDirectory(folder);
    }
  }
}
