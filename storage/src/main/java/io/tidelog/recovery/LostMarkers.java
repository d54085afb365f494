package io.tidelog.recovery;

import io.tidelog.disk.Disk;
import io.tidelog.log.LogProducers;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.TxnIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code .log} that is gone has taken markers with it, of transactions that began in the segments
 * before it. What its {@code .txnindex} says of them goes into that of the segment before, so that
 * no aborted record is shown. If that cannot be read either, all that was open counts as aborted.
 */
final class LostMarkers {
  private final Disk disk;
  private final KnownState known;
  private final LogProducers producers;
  private final List<Segment> segments;

  /**
   * @param producers those of the log, which are not restored yet
   * @param segments whose logs are there, by rising base offset
   */
  LostMarkers(Disk disk, KnownState known, LogProducers producers, List<Segment> segments) {
    this.disk = disk;
    this.known = known;
    this.producers = producers;
    this.segments = segments;
  }

  /** Keeps what the index beside a missing log says. */
  void keep(Path directory, long missing) throws IOException {
    int index = segments.size() - 1;
    while (index >= 0 && segments.get(index).baseOffset() > missing) {
      index--;
    }
    long end =
        index + 1 < segments.size()
            ? segments.get(index + 1).baseOffset()
            : Math.max(known.recoveryPoint(), missing);
    if (index >= 0 && wasDurable(missing) && end > known.start()) {
      List<AbortedTransaction> told = told(directory, missing, end, segments.subList(0, index + 1));
      if (!told.isEmpty()) {
        segments.get(index).aborted().addAll(told);
      }
    }
  }

  private boolean wasDurable(long offset) {
    return known.stop() == KnownState.Stop.CLEAN || offset < known.recoveryPoint();
  }

  private List<AbortedTransaction> told(
      Path directory, long missing, long end, List<Segment> earlier) throws IOException {
    TxnIndex index =
        TxnIndex.at(disk, SegmentFiles.path(directory, missing, SegmentFiles.TXN_INDEX));
    try {
      index.check(missing, end);
      return index.all();
    } catch (CorruptLogException damaged) {
      List<AbortedTransaction> all = new ArrayList<>();
      producers.before(missing, earlier).abortOpen(end, all::add);
      return all;
    }
  }
}
