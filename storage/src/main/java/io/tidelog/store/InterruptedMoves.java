package io.tidelog.store;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Ends, at the start, the moves between data directories that the last stop has interrupted. Where
 * the partition is in service somewhere its copy is dropped. Where it is not, and the old folder
 * was put aside under the copy's own id, the copy is complete and takes its place; this comes
 * before folders that were put aside are removed. Any other copy is left as it is.
 *
 * @param directories the data directories
 */
record InterruptedMoves(Surroundings around, List<DataDirectory> directories) {

  /** Settles all. */
  static void settle(Surroundings around, List<DataDirectory> directories) throws IOException {
    InterruptedMoves moves = new InterruptedMoves(around, directories);
    for (DataDirectory directory : directories) {
      for (String name : around.disk().list(directory.path())) {
        Optional<PartitionFolder> folder = PartitionFolder.parse(name);
        if (folder.isPresent() && folder.get().state() == PartitionFolder.State.FUTURE) {
          directory.found(folder.get());
          moves.settle(directory.path().resolve(name), folder.get().partition().folderName());
        }
      }
    }
  }

  private void settle(Path copy, String liveName) throws IOException {
    Disk disk = around.disk();
    String name = copy.getFileName().toString();
    if (isInOne(liveName)) {
      DeletedFolder.remove(disk, copy);
      tell(copy + " was not yet in service and was removed: its move to here was interrupted");
    } else if (isInOne(PartitionFolder.deletedForm(name))) {
      Path live = copy.resolveSibling(liveName);
      disk.rename(copy, live);
      disk.syncDirectory(copy.getParent());
      tell(live + " is in service from here on: its move to here was interrupted at the end");
    }
  }

  private boolean isInOne(String name) {
    return directories.stream()
        .anyMatch(directory -> around.disk().isDirectory(directory.path().resolve(name)));
  }

  private void tell(String sentence) {
    around.events().happened(StoreEvents.Kind.REPAIRED, sentence);
  }
}
