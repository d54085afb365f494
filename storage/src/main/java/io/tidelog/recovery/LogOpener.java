package io.tidelog.recovery;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.log.LeaderEpochs;
import io.tidelog.log.LogContents;
import io.tidelog.log.LogProducers;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.OffsetRange;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * From a partition's folder to a sound log.
 *
 * <p>After a clean stop nothing is scanned but what follows the last index entry. After any other,
 * the segments from the recovery point on are read again: the headers of what was durable, every
 * byte of the rest. The log ends at the first thing that is not a sound batch; what follows is cut,
 * and if it holds sound batches it is kept in a copy first. Indexes, epochs, producer state and
 * aborted transactions are brought up to that end.
 */
public final class LogOpener {
  private final PartitionLog.Identity identity;
  private final LogSurroundings around;
  private final LogSettings settings;
  private final KnownState known;
  private final LeaderEpochs epochs;
  private final LogProducers producers;
  private final TxnIndexRecovery aborted;

  private LogOpener(
      PartitionLog.Identity identity,
      LogSurroundings around,
      LogSettings settings,
      KnownState known)
      throws IOException {
    this.identity = identity;
    this.around = around;
    this.settings = settings;
    this.known = known;
    this.epochs = LeaderEpochs.open(new LeaderEpochCheckpoint(around.disk(), identity.directory()));
    this.producers =
        LogProducers.open(around.disk(), identity.directory(), identity.topicPartition());
    this.aborted = new TxnIndexRecovery(producers, around.host()::repaired);
  }

  /** Opens the log in a folder, which must exist. */
  public static PartitionLog open(
      PartitionLog.Identity identity,
      LogSurroundings around,
      LogSettings settings,
      KnownState known)
      throws IOException {
    return new LogOpener(identity, around, settings, known).open();
  }

  private PartitionLog open() throws IOException {
    Leftovers.remove(around.disk(), identity.directory());
    List<Segment> segments = openSegments();
    try {
      return open(segments);
    } catch (IOException | RuntimeException e) {
      for (Segment segment : segments) {
        segment.unpin();
      }
      throw e;
    }
  }

  private PartitionLog open(List<Segment> segments) throws IOException {
    long end =
        known.stop() == KnownState.Stop.CLEAN
            ? cleanEnd(segments)
            : recover(segments, known.recoveryPoint());
    long start = Math.max(known.start(), segments.get(0).baseOffset());
    if (start > end) {
      startAfresh(segments, start);
      end = start;
    }
    epochs.truncateTo(end);
    epochs.advanceTo(start);
    aborted.check(segments, end);
    producers.restore(
        segments,
        new OffsetRange(start, end),
        around.clock().millis() - settings.producerIdExpirationMs(),
        around.host()::repaired);
    long durableTo =
        known.stop() == KnownState.Stop.CLEAN ? end : Math.min(known.recoveryPoint(), end);
    return new PartitionLog(
        identity,
        around,
        settings,
        new LogContents(segments, start, end, durableTo, epochs, producers));
  }

  private List<Segment> openSegments() throws IOException {
    List<Long> baseOffsets = new ArrayList<>();
    for (String name : around.disk().list(identity.directory())) {
      SegmentFiles.baseOffset(name, SegmentFiles.LOG).ifPresent(baseOffsets::add);
      SegmentFiles.baseOffset(name, SegmentFiles.TXN_INDEX).ifPresent(aborted::found);
    }
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < baseOffsets.size(); i++) {
      segments.add(
          i + 1 < baseOffsets.size()
              ? Segment.open(setting(), baseOffsets.get(i))
              : Segment.openActive(setting(), baseOffsets.get(i)));
    }
    dropSegmentsBelowStart(segments);
    if (segments.isEmpty()) {
      segments.add(Segment.create(setting(), known.start()));
    }
    return segments;
  }

  /**
   * A crash between moving the start offset and removing the segments below it leaves some of
   * these.
   */
  private void dropSegmentsBelowStart(List<Segment> segments) throws IOException {
    while (segments.size() > 1 && segments.get(1).baseOffset() <= known.start()) {
      delete(segments.remove(0));
    }
  }

  private Segment.Setting setting() {
    return around.segmentSetting(identity.directory(), settings);
  }

  /**
   * The end after a clean stop: what follows the last index entry is walked. A damaged tail is
   * recovered like a torn one.
   */
  private long cleanEnd(List<Segment> segments) throws IOException {
    Segment last = segments.get(segments.size() - 1);
    try {
      return last.boundary(0, last.sizeBytes()).nextOffset();
    } catch (CorruptLogException damage) {
      around
          .host()
          .repaired(damage.getMessage() + "; found after a clean stop, the segment is read again");
      return recover(segments, last.baseOffset());
    }
  }

  /** Reads the segments from an offset on again. @return the end offset */
  private long recover(List<Segment> segments, long durableTo) throws IOException {
    int first = segments.size() - 1;
    while (first > 0 && segments.get(first).baseOffset() > durableTo) {
      first--;
    }
    long end = segments.get(first).baseOffset();
    epochs.truncateTo(end);
    for (int i = first; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (i > first && !follows(segment, end, durableTo)) {
        cutFrom(segments, i, end);
        break;
      }
      Segment.Recovered found = segment.recover(durableTo, this::recovered);
      end = found.nextOffset();
      if (found.damage().isPresent()) {
        cutAfter(segments, i, found);
        break;
      }
      if (i + 1 < segments.size()) {
        segment.seal();
      }
    }
    aborted.rebuild(segments, first);
    return end;
  }

  private void recovered(RecordBatch batch) {
    epochs.note(batch.leaderEpoch(), batch.baseOffset());
    aborted.seen(batch);
  }

  /**
   * Whether a segment can be the next one. A crash may take the end of a segment but not the one
   * after it, which then goes too. Compaction may leave such a hole, and what was durable is taken
   * as it is.
   */
  private boolean follows(Segment segment, long end, long durableTo) {
    long base = segment.baseOffset();
    return base == end || (base > end && (settings.compacts() || base <= durableTo));
  }

  private void cutFrom(List<Segment> segments, int index, long end) throws IOException {
    List<Segment> later = List.copyOf(segments.subList(index, segments.size()));
    List<Path> copies = new CutCopy(around.disk()).ofSegments(later);
    remove(segments, later);
    if (!copies.isEmpty()) {
      around
          .host()
          .repaired(
              later.get(0)
                  + ": the segment before it ends at offset "
                  + end
                  + ", so the log ends there; what followed is kept in "
                  + copies);
    }
  }

  private void cutAfter(List<Segment> segments, int index, Segment.Recovered found)
      throws IOException {
    Segment damaged = segments.get(index);
    List<Segment> later = new ArrayList<>(segments.subList(index + 1, segments.size()));
    CutCopy copy = new CutCopy(around.disk());
    Stream<Path> kept =
        Stream.concat(
            copy.ofTail(damaged, found.goodBytes()).stream(), copy.ofSegments(later).stream());
    List<Path> copies = kept.toList();
    String sentence =
        found.damage().orElseThrow().getMessage()
            + "; the log was cut there from "
            + damaged.sizeBytes()
            + " to "
            + found.goodBytes()
            + " bytes and ends at offset "
            + found.nextOffset();
    damaged.cutTo(found.goodBytes());
    remove(segments, later);
    around
        .host()
        .repaired(copies.isEmpty() ? sentence : sentence + "; what was cut is kept in " + copies);
  }

  /** The start offset lies past all that is left: everything below it was deleted by request. */
  private void startAfresh(List<Segment> segments, long start) throws IOException {
    for (Segment segment : segments) {
      delete(segment);
    }
    segments.clear();
    segments.add(Segment.create(setting(), start));
  }

  /** From the last one on, so that a crash leaves no hole. */
  private void remove(List<Segment> segments, List<Segment> later) throws IOException {
    for (int i = later.size() - 1; i >= 0; i--) {
      delete(later.get(i));
      around.disk().syncDirectory(identity.directory());
      segments.remove(later.get(i));
    }
  }

  private void delete(Segment segment) throws IOException {
    segment.unpin();
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      if (around.disk().exists(segment.path(suffix))) {
        around.disk().delete(segment.path(suffix));
      }
    }
  }
}
