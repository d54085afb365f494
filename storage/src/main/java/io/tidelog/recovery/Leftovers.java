package io.tidelog.recovery;

import io.tidelog.disk.Disk;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Removes from a partition's folder what an interrupted run left and nobody needs: files set aside
 * for deletion, half-written ones, indexes without a log.
 */
final class Leftovers {
  private static final List<String> USELESS =
      List.of(SegmentFiles.DELETED, ".cleaned", ".tmp", ".new");
  private static final List<String> CACHES =
      List.of(SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX, SegmentFiles.TXN_INDEX);

  private Leftovers() {}

  static void remove(Disk disk, Path directory) throws IOException {
    List<String> names = disk.list(directory);
    Set<Long> logs = new HashSet<>();
    for (String name : names) {
      SegmentFiles.baseOffset(name, SegmentFiles.LOG).ifPresent(logs::add);
    }
    for (String name : names) {
      if (USELESS.stream().anyMatch(name::endsWith) || isOrphan(name, logs)) {
        disk.delete(directory.resolve(name));
      }
    }
  }

  private static boolean isOrphan(String name, Set<Long> logs) {
    for (String suffix : CACHES) {
      OptionalLong base = SegmentFiles.baseOffset(name, suffix);
      if (base.isPresent()) {
        return !logs.contains(base.getAsLong());
      }
    }
    return false;
  }
}
