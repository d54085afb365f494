package io.tidelog.recovery;

import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Takes segments away that recovery does not need, and keeps copies of what a person may need. */
final class SegmentRemoval {
  private final PartitionLog.Identity identity;
  private final LogSurroundings around;
  private final CutCopy copy;

  SegmentRemoval(PartitionLog.Identity identity, LogSurroundings around) {
    this.identity = identity;
    this.around = around;
    this.copy = new CutCopy(around.disk());
  }

  Segment.Setting setting(LogSettings settings) {
    return around.segmentSetting(identity.directory(), settings);
  }

  /** Copies what follows a position, if anything does. */
  List<Path> keepCopy(Segment segment, int from) throws IOException {
    return from < segment.sizeBytes() ? List.of(copy.of(segment, from)) : List.of();
  }

  /** The same, but not of an append that a crash has torn. */
  List<Path> keepCopyUnlessTorn(Segment segment, int from) throws IOException {
    return copy.isTornAppend(segment, from) ? List.of() : keepCopy(segment, from);
  }

  CutCopy copies() {
    return copy;
  }

  /** From the last one on, so that a crash leaves no hole. */
  void remove(List<Segment> segments, List<Segment> later) throws IOException {
    for (int i = later.size() - 1; i >= 0; i--) {
      delete(later.get(i));
      around.disk().syncDirectory(identity.directory());
      segments.remove(later.get(i));
    }
  }

  void delete(Segment segment) throws IOException {
    segment.unpin();
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      if (around.disk().exists(segment.path(suffix))) {
        around.disk().delete(segment.path(suffix));
      }
    }
  }
}
