package io.tidelog.log;

import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes the files of segments that no view shows any more: first they get another name, after
 * file.delete.delay.ms they go.
 */
final class SegmentDisposal {
  private final LogSurroundings around;

  SegmentDisposal(LogSurroundings around) {
    this.around = around;
  }

  /**
   * Renames the files, lets go of the segments, and removes the files later. Readers that hold a
   * pin are not disturbed.
   */
  void setAside(List<Segment> dropped, long delayMs) throws IOException {
    List<Path> aside = new ArrayList<>();
    for (Segment segment : dropped) {
      segment.retire();
      for (String suffix : SegmentFiles.DATA_SUFFIXES) {
        Path file = segment.path(suffix);
        if (around.disk().exists(file)) {
          Path renamed = file.resolveSibling(file.getFileName() + SegmentFiles.DELETED);
          around.disk().rename(file, renamed);
          aside.add(renamed);
        }
      }
      segment.unpin();
    }
    around.host().later(delayMs, () -> remove(aside));
  }

  private void remove(List<Path> files) {
    for (Path file : files) {
      try {
        if (around.disk().exists(file)) {
          around.disk().delete(file);
        }
      } catch (IOException e) {
        around
            .host()
            .noticed(
                file
                    + " could not be removed: "
                    + e.getMessage()
                    + "; it is tried again at the next start");
      }
    }
  }
}
