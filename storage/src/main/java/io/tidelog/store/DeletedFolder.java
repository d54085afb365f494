package io.tidelog.store;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.disk.Disk;
import io.tidelog.log.PartitionLog;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The folder of a partition that is taken out of service: renamed, and if deleted removed later.
 */
final class DeletedFolder {
  private DeletedFolder() {}

  /** Renames a partition's folder. @return its new name */
  static Path setAside(Surroundings around, PartitionLog log, PartitionFolder.State state)
      throws IOException {
    String uniqueId =
        Long.toHexString(around.random().nextLong()) + Long.toHexString(around.random().nextLong());
    Path aside =
        log.directory()
            .resolveSibling(PartitionFolder.nameAside(log.topicPartition(), state, uniqueId));
    around.disk().rename(log.directory(), aside);
    return aside;
  }

  static void removeQuietly(Surroundings around, Path folder) {
    try {
      remove(around.disk(), folder);
    } catch (IOException e) {
      around
          .events()
          .happened(
              StoreEvents.Kind.FAILED,
              folder
                  + " could not be removed: "
                  + e.getMessage()
                  + "; it is tried again at the next start");
    }
  }

  static void remove(Disk disk, Path folder) throws IOException {
    for (String name : disk.list(folder)) {
      Path path = folder.resolve(name);
      if (disk.isDirectory(path)) {
        remove(disk, path);
      } else {
        disk.delete(path);
      }
    }
    disk.delete(folder);
  }
}
