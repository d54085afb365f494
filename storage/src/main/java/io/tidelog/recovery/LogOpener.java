package io.tidelog.recovery;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.log.LeaderEpochs;
import io.tidelog.log.LogContents;
import io.tidelog.log.LogProducers;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.OutOfService;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.OffsetRange;
import io.tidelog.recovery.SegmentRecovery.Outcome;
import io.tidelog.segment.Extent;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * From a partition's folder to a sound log.
 *
 * <p>After a clean stop nothing is scanned but what follows the last index entry. After any other,
 * the segments from the recovery point on are read again: the headers of what was durable, every
 * byte of the rest. Damage that sound batches follow stays where it is; {@link LogEnd} judges what
 * follows the last one. Indexes, epochs, producer state and aborted transactions are brought up to
 * that end.
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
  private final SegmentRemoval removal;

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
    this.removal = new SegmentRemoval(identity, around);
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

  /**
   * The log in a folder that cannot be opened, closed for that reason. Nothing is changed on disk;
   * it says of itself what the checkpoints say.
   */
  public static PartitionLog aside(
      PartitionLog.Identity identity,
      LogSurroundings around,
      LogSettings settings,
      KnownState known,
      UntrustedStartException why)
      throws IOException {
    LogOpener opener = new LogOpener(identity, around, settings, known);
    long end = Math.max(known.start(), known.recoveryPoint());
    LogContents contents =
        new LogContents(
            opener.findSegments(),
            known.start(),
            end,
            known.recoveryPoint(),
            opener.epochs,
            opener.producers);
    return new OutOfService(identity, around, settings).because(why, contents);
  }

  /** The same of a folder in which a file cannot be used at all. */
  public static PartitionLog unread(
      PartitionLog.Identity identity,
      LogSurroundings around,
      LogSettings settings,
      KnownState known,
      IOException why)
      throws IOException {
    long start = Math.max(0, known.start());
    Path directory = identity.directory();
    Segment.Setting setting = new SegmentRemoval(identity, around).setting(settings);
    LogContents contents =
        new LogContents(
            List.of(Segment.unread(setting, start)),
            start,
            Math.max(start, known.recoveryPoint()),
            known.recoveryPoint(),
            LeaderEpochs.lost(new LeaderEpochCheckpoint(around.disk(), directory)),
            LogProducers.unread(around.disk(), directory, identity.topicPartition()));
    return new OutOfService(identity, around, settings).because(why, contents);
  }

  private PartitionLog open() throws IOException {
    InterruptedSwaps.settle(around.disk(), identity.directory());
    List<Segment> segments = findSegments();
    try {
      requirePlausibleStart(segments);
      LostMarkers markers = new LostMarkers(around.disk(), known, producers, segments);
      Leftovers.remove(around.disk(), identity.directory(), losses, markers);
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
    if (known.stop() != KnownState.Stop.CLEAN) {
      producers.removeTorn(known.recoveryPoint(), around.host()::repaired);
    }
    epochRecovery.complete(segments, new OffsetRange(start, end));
    epochs.truncateTo(end, start);
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
    SoundWalk walk =
        last.batches().walkFrom(last.baseOffset(), new Extent(last.sizeBytes(), LogPart.OPEN));
    while (walk.next()) {
      end = Math.max(end, walk.batch().nextOffset());
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

  private long afterCleanStop(List<Segment> segments) throws IOException {
    LogEnd.Found found = logEnd().afterCleanStop(segments);
    deleteBelowStart();
    if (found.firstRead() < segments.size()) {
      aborted.rebuild(segments, found.firstRead(), new OffsetRange(found.end(), found.end()));
    }
    return found.end();
  }

  private long afterCrash(List<Segment> segments) throws IOException {
    LogEnd logEnd = logEnd();
    Outcome outcome = cut(segments, logEnd.read(segments));
    long soundEnd = logEnd.soundEnd(segments, outcome);
    if (known.start() > soundEnd) {
      return startAfresh(segments, soundEnd);
    }
    deleteBelowStart();
    LogEnd.Found found = afterCut(logEnd, segments, outcome);
    long durableTo = Math.min(known.recoveryPoint(), found.end());
    aborted.rebuild(segments, found.firstRead(), new OffsetRange(durableTo, found.end()));
    return found.end();
  }

  private Outcome cut(List<Segment> segments, Outcome read) throws IOException {
    DamageCut cut = new DamageCut(around, recovery(), removal);
    if (settings.endsAtDamage()) {
      return cut.cut(segments, read, DamageCut.GapRule.DAMAGE, 0);
    }
    DamageCut.GapRule gaps =
        settings.compacts() ? DamageCut.GapRule.NONE : DamageCut.GapRule.DAMAGE;
    return cut.cut(segments, read, gaps, known.recoveryPoint());
  }

  private LogEnd.Found afterCut(LogEnd logEnd, List<Segment> segments, Outcome outcome)
      throws IOException {
    if (!settings.endsAtDamage()) {
      return logEnd.settle(segments, outcome);
    }
    long end = logEnd.soundEnd(segments, outcome);
    if (end < known.recoveryPoint()) {
      losses.endsEarly(end, end);
    }
    return new LogEnd.Found(end, outcome.first());
  }

  private SegmentRecovery recovery() {
    return new SegmentRecovery(settings, known, epochs, aborted);
  }

  private LogEnd logEnd() {
    return new LogEnd(around, settings, known, recovery(), new LogEnd.Removing(removal, losses));
  }

  private void deleteBelowStart() throws IOException {
    List<Segment> doubtful = new ArrayList<>();
    for (int i = belowStart.size() - 1; i >= 0 && endsAbove(i, known.deletedBelow()); i--) {
      doubtful.add(belowStart.get(i));
    }
    removal.copies().insteadOf(doubtful);
    while (!belowStart.isEmpty()) {
      removal.delete(belowStart.remove(0));
    }
  }

  private boolean endsAbove(int index, long offset) {
    return index + 1 < belowStart.size()
        ? belowStart.get(index + 1).baseOffset() > offset
        : offset < known.start();
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
    return removal.setting(settings);
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
    List<Path> kept = removal.copies().insteadOf(segments);
    losses.endsBelowStart(end, start, kept);
    while (!segments.isEmpty()) {
      removal.delete(segments.remove(0));
    }
    segments.add(Segment.create(setting(), start));
    return start;
  }
}
