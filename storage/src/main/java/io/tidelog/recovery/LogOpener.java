package io.tidelog.recovery;

import io.tidelog.log.LeaderEpochs;
import io.tidelog.log.LogContents;
import io.tidelog.log.LogProducers;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.OffsetRange;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
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
  private final LossReport losses;
  private final EpochRecovery epochRecovery;
  private final LeaderEpochs epochs;
  private final LogProducers producers;
  private final TxnIndexRecovery aborted;

  /** Of these a crash may have left some, between moving the start offset and removing them. */
  private final List<Segment> belowStart = new ArrayList<>();

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
    this.losses = new LossReport(identity.directory(), known, around.host()::repaired);
    this.epochRecovery =
        EpochRecovery.open(around.disk(), identity.directory(), around.host()::repaired);
    this.epochs = epochRecovery.epochs();
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
    InterruptedSwaps.settle(around.disk(), identity.directory());
    List<Segment> segments = findSegments();
    try {
      requirePlausibleStart(segments);
      Leftovers.remove(around.disk(), identity.directory(), losses);
      return open(segments);
    } catch (IOException | RuntimeException e) {
      for (Segment segment : segments) {
        segment.unpin();
      }
      for (Segment segment : belowStart) {
        segment.unpin();
      }
      throw e;
    }
  }

  private PartitionLog open(List<Segment> segments) throws IOException {
    long end = soundEnd(segments);
    long start = Math.max(known.start(), segments.get(0).baseOffset());
    epochRecovery.complete(segments);
    epochs.truncateTo(end);
    epochs.advanceTo(start);
    aborted.check(segments, end);
    producers.restore(
        segments,
        new OffsetRange(start, end),
        settings.producerCutoffMs(around.clock().millis()),
        around.host()::repaired);
    long durableTo =
        known.stop() == KnownState.Stop.CLEAN ? end : Math.min(known.recoveryPoint(), end);
    return new PartitionLog(
        identity,
        around,
        settings,
        new LogContents(segments, start, end, durableTo, epochs, producers));
  }

  private List<Segment> findSegments() throws IOException {
    NavigableSet<Long> baseOffsets = new TreeSet<>();
    List<String> names = around.disk().list(identity.directory());
    for (String name : names) {
      SegmentFiles.baseOffset(name, SegmentFiles.LOG).ifPresent(baseOffsets::add);
    }
    for (String name : names) {
      OptionalLong index = SegmentFiles.baseOffset(name, SegmentFiles.TXN_INDEX);
      index.stream().filter(baseOffsets::contains).forEach(aborted::found);
    }
    List<Segment> segments = new ArrayList<>();
    for (long baseOffset : baseOffsets) {
      segments.add(
          baseOffset < baseOffsets.last()
              ? Segment.open(setting(), baseOffset)
              : Segment.openActive(setting(), baseOffset));
    }
    return segments;
  }

  /**
   * What a clean stop wrote fits together: the start is at most the end, which is the recovery
   * point. If it does not, nobody knows what was deleted.
   */
  private void requirePlausibleStart(List<Segment> segments) throws IOException {
    if (known.stop() != KnownState.Stop.CLEAN
        || known.start() <= known.recoveryPoint()
        || segments.isEmpty()) {
      return;
    }
    Segment last = segments.get(segments.size() - 1);
    long end = Math.max(known.recoveryPoint(), last.baseOffset());
    try {
      BatchWalk walk = last.walkFrom(last.baseOffset(), last.sizeBytes());
      while (walk.next()) {
        end = Math.max(end, walk.batch().nextOffset());
      }
    } catch (CorruptLogException cutLater) {
      // The sound part counts.
    }
    if (known.start() > end) {
      throw new ImplausibleStartException(identity, known.start(), end);
    }
  }

  /** Brings the segments to a sound end, which is returned. */
  private long soundEnd(List<Segment> segments) throws IOException {
    if (segments.isEmpty()) {
      return beginWithoutAny(segments);
    }
    while (segments.size() > 1 && segments.get(1).baseOffset() <= known.start()) {
      belowStart.add(segments.remove(0));
    }
    return known.stop() == KnownState.Stop.CLEAN ? afterCleanStop(segments) : afterCrash(segments);
  }

  /** Offsets that were durable are not given to other records. */
  private long afterCleanStop(List<Segment> segments) throws IOException {
    long end = cleanEnd(segments);
    deleteBelowStart();
    if (end >= known.recoveryPoint()) {
      return end;
    }
    losses.endsEarly(end, known.recoveryPoint());
    Segment last = segments.get(segments.size() - 1);
    if (last.sizeBytes() == 0) {
      segments.remove(last);
      delete(last);
    } else {
      last.seal();
      last.syncIndexes();
    }
    segments.add(Segment.create(setting(), known.recoveryPoint()));
    return known.recoveryPoint();
  }

  /** A log whose last batch is torn ends before it, wherever the recovery point is. */
  private long afterCrash(List<Segment> segments) throws IOException {
    long end = recover(segments, known.recoveryPoint());
    if (known.start() > end) {
      return startAfresh(segments, end);
    }
    deleteBelowStart();
    if (end < known.recoveryPoint()) {
      losses.endsEarly(end, end);
    }
    return end;
  }

  private void deleteBelowStart() throws IOException {
    while (!belowStart.isEmpty()) {
      delete(belowStart.remove(0));
    }
  }

  private long beginWithoutAny(List<Segment> segments) throws IOException {
    long first = Math.max(known.start(), known.recoveryPoint());
    if (first > 0) {
      losses.hasNoLog(first);
    }
    segments.add(Segment.create(setting(), first));
    return first;
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

  /**
   * After a crash the start offset may lie past all that is left: everything below it was deleted
   * by request, and what followed was not on disk yet.
   *
   * @return where the log goes on
   */
  private long startAfresh(List<Segment> segments, long end) throws IOException {
    long start = Math.max(known.start(), known.recoveryPoint());
    segments.addAll(0, belowStart);
    belowStart.clear();
    List<Path> kept = new CutCopy(around.disk()).insteadOf(segments);
    losses.endsBelowStart(end, start, kept);
    while (!segments.isEmpty()) {
      delete(segments.remove(0));
    }
    segments.add(Segment.create(setting(), start));
    return start;
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
