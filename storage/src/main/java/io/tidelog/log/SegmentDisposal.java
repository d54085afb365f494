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

  /** Something that may fail. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /**
   * Renames the files, lets go of the segments, and removes the files later. Readers that hold a
   * pin are not disturbed.
   *
   * @param first makes it durable that the segments are not needed; if it fails the files stay
   */
  void setAside(Step first, List<Segment> dropped, long delayMs) throws IOException {
    List<Path> aside = new ArrayList<>();
    try {
      first.run();
      for (Segment segment : dropped) {
        rename(segment, aside);
      }
    } finally {
      letGo(dropped);
    }
    around.host().later(delayMs, () -> remove(aside));
  }

  /**
   * As {@link #setAside}, the last one first, each durably before the next: what a crash leaves is
   * a log without its end, never one with a hole.
   */
  void setAsideNewestFirst(List<Segment> dropped, long delayMs) throws IOException {
    List<Path> aside = new ArrayList<>();
    try {
      for (int i = dropped.size() - 1; i >= 0; i--) {
        rename(dropped.get(i), aside);
        around.disk().syncDirectory(aside.get(0).getParent());
      }
    } finally {
      letGo(dropped);
    }
    around.host().later(delayMs, () -> remove(aside));
  }

  /** Renames the files of a segment, the log first. */
  private void rename(Segment segment, List<Path> aside) throws IOException {
    segment.retire();
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      Path file = segment.path(suffix);
      if (around.disk().exists(file)) {
        Path renamed = file.resolveSibling(file.getFileName() + SegmentFiles.DELETED);
        around.disk().rename(file, renamed);
        aside.add(renamed);
      }
    }
  }

  private static void letGo(List<Segment> dropped) throws IOException {
    for (Segment segment : dropped) {
      segment.unpin();
    }
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
