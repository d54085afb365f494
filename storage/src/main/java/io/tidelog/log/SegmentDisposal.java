package io.tidelog.log;

import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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

  /** Which segment goes first. But for any order, each goes durably before the next. */
  enum Order {
    /** Nothing depends on it. */
    ANY,
    /** What a crash leaves is a log without its beginning, never one with a hole. */
    OLDEST_FIRST,
    /** What a crash leaves is a log without its end, never one with a hole. */
    NEWEST_FIRST
  }

  /**
   * Renames the files, lets go of the segments, and removes the files later. Readers that hold a
   * pin are not disturbed.
   */
  void setAside(List<Segment> dropped, Order order, long delayMs) throws IOException {
    List<Segment> inOrder = new ArrayList<>(dropped);
    if (order == Order.NEWEST_FIRST) {
      Collections.reverse(inOrder);
    }
    List<Path> aside = new ArrayList<>();
    try {
      for (Segment segment : inOrder) {
        rename(segment, aside);
        if (order != Order.ANY) {
          around.disk().syncDirectory(aside.get(0).getParent());
        }
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
