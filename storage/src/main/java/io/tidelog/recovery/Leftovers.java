package io.tidelog.recovery;

import io.tidelog.disk.Disk;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * What an interrupted run left in a partition's folder and nobody needs: files set aside for
 * deletion, half-written ones, indexes without a log. An index that was made durable with its log
 * also tells that the log is missing, unless that was set aside.
 */
final class Leftovers {
  private static final List<String> USELESS =
      List.of(SegmentFiles.DELETED, SegmentFiles.CLEANED, ".tmp", ".new");
  private static final List<String> CACHES =
      List.of(SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX, SegmentFiles.TXN_INDEX);

  private final Disk disk;
  private final Path directory;
  private final NavigableSet<Long> logs = new TreeSet<>();
  private final NavigableSet<Long> setAside = new TreeSet<>();
  private final NavigableSet<Long> missing = new TreeSet<>();

  private Leftovers(Disk disk, Path directory) {
    this.disk = disk;
    this.directory = directory;
  }

  /** Removes them; that the last logs are missing is not told, since the log's end shows it. */
  static void remove(Disk disk, Path directory, LossReport losses, LostMarkers markers)
      throws IOException {
    Leftovers leftovers = new Leftovers(disk, directory);
    List<String> useless = leftovers.find();
    for (long base : leftovers.missing) {
      markers.keep(directory, base);
    }
    for (String name : useless) {
      disk.delete(directory.resolve(name));
    }
    for (long base : leftovers.missing) {
      Long next = leftovers.logs.higher(base);
      if (next != null) {
        losses.lacks(base, next);
      }
    }
  }

  private List<String> find() throws IOException {
    List<String> names = disk.list(directory);
    for (String name : names) {
      SegmentFiles.baseOffset(name, SegmentFiles.LOG).ifPresent(logs::add);
      SegmentFiles.baseOffset(name, SegmentFiles.LOG + SegmentFiles.DELETED)
          .ifPresent(setAside::add);
    }
    return names.stream()
        .filter(name -> USELESS.stream().anyMatch(name::endsWith) || isOrphan(name))
        .toList();
  }

  private boolean isOrphan(String name) {
    for (String suffix : CACHES) {
      OptionalLong base = SegmentFiles.baseOffset(name, suffix);
      if (base.isPresent() && !logs.contains(base.getAsLong())) {
        if (!setAside.contains(base.getAsLong())) {
          missing.add(base.getAsLong());
        }
        return true;
      }
    }
    return false;
  }
}
