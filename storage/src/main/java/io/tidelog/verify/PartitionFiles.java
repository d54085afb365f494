package io.tidelog.verify;

import io.tidelog.disk.Disk;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of a partition's folder with the sizes that they had when they were first seen. All
 * checks go by these, so that a broker may be at work meanwhile: whatever it adds is not looked at.
 *
 * @param folder the partition's folder
 * @param sizes of all files by name
 * @param logs the base offsets of the segments
 */
record PartitionFiles(Path folder, Map<String, Long> sizes, NavigableSet<Long> logs) {

  /** Lists a folder. Indexes are asked for their sizes first: they never run ahead of a log. */
  static PartitionFiles list(Disk disk, Path folder) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    Set<String> logs = new TreeSet<>();
    for (String name : disk.list(folder)) {
      if (name.endsWith(SegmentFiles.LOG)) {
        logs.add(name);
      } else {
        addSize(disk, folder.resolve(name), sizes);
      }
    }
    for (String log : logs) {
      addSize(disk, folder.resolve(log), sizes);
    }
    return new PartitionFiles(folder, sizes, bases(sizes.keySet(), SegmentFiles.LOG));
  }

  private static void addSize(Disk disk, Path file, Map<String, Long> sizes) throws IOException {
    try {
      sizes.put(file.getFileName().toString(), disk.isDirectory(file) ? 0 : disk.sizeBytes(file));
    } catch (NoSuchFileException goneMeanwhile) {
      // As if it had not been listed.
    }
  }

  /** The base offsets that files with this suffix have in their names. */
  NavigableSet<Long> bases(String suffix) {
    return bases(sizes.keySet(), suffix);
  }

  private static NavigableSet<Long> bases(Set<String> names, String suffix) {
    NavigableSet<Long> bases = new TreeSet<>();
    for (String name : names) {
      SegmentFiles.baseOffset(name, suffix).ifPresent(bases::add);
    }
    return bases;
  }

  Path path(long baseOffset, String suffix) {
    return SegmentFiles.path(folder, baseOffset, suffix);
  }

  long sizeBytes(long baseOffset, String suffix) {
    return sizes.get(path(baseOffset, suffix).getFileName().toString());
  }

  boolean has(String name) {
    return sizes.containsKey(name);
  }

  /** The base offset of the segment after this one. */
  OptionalLong nextBase(long baseOffset) {
    Long next = logs.higher(baseOffset);
    return next == null ? OptionalLong.empty() : OptionalLong.of(next);
  }

  long logBytes() {
    return logs.stream().mapToLong(base -> sizeBytes(base, SegmentFiles.LOG)).sum();
  }
}
