package io.tidelog.verify;

import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.disk.DiskFile;
import io.tidelog.producer.ProducerState;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.PartitionContext.Compaction;
import io.tidelog.verify.TxnIndexCheck.Knowledge;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Goes through the headers of a log once more, in order, and compares what they say of producers
 * and transactions with the snapshots and the indexes of aborted transactions. Where batches are
 * missing, through damage, compaction or an unknown beginning, only what can still be known is
 * compared.
 */
final class ProducersCheck {
  private final PartitionContext context;
  private final FindingList findings;
  private final NavigableSet<Long> snapshots;
  private final SnapshotCompare compare;
  private boolean isComplete = true;

  /**
   * After a start in the middle of the log the producers are those of the batches after it, and
   * after a loss a snapshot knows more than the log.
   */
  private boolean areComparable = true;

  ProducersCheck(PartitionContext context, FindingList findings) {
    this.context = context;
    this.findings = findings;
    this.snapshots = new TreeSet<>(context.files().bases(SegmentFiles.SNAPSHOT));
    this.compare = new SnapshotCompare(context, findings);
  }

  /**
   * Compares.
   *
   * @param segments of the log, by rising base offset
   * @param compaction whether batches may be missing
   * @param end the offset after the last batch; the largest there is if it is not known
   */
  void check(List<SegmentFacts> segments, Compaction compaction, long end) throws IOException {
    boolean hasProducers = segments.stream().anyMatch(segment -> segment.traits().hasProducers());
    boolean hasTxnIndexes = !context.files().bases(SegmentFiles.TXN_INDEX).isEmpty();
    if (segments.isEmpty() || (!hasProducers && snapshots.isEmpty() && !hasTxnIndexes)) {
      return;
    }
    if (hasProducers) {
      requireOne();
    }
    tellAhead(end);
    isComplete = compaction != Compaction.SURELY;
    try (ReplayedProducers replay = new ReplayedProducers(context.partition())) {
      begin(replay, segments.get(0).baseOffset());
      long expected = segments.get(0).baseOffset();
      for (SegmentFacts segment : segments) {
        areComparable &= segment.baseOffset() <= expected;
        expected = segment.nextOffset();
        isComplete &= segment.damage().isEmpty() && segment.isWhole();
        List<AbortedTransaction> aborted = new ArrayList<>();
        if (segment.traits().hasProducers() && segment.isWhole()) {
          replay(replay, segment, aborted);
        }
        areComparable &= segment.gaps().first().isEmpty();
        new TxnIndexCheck(context, findings, segment)
            .check(aborted, isComplete ? Knowledge.WHOLE : Knowledge.PARTIAL);
      }
      compareUpTo(end, replay);
    }
  }

  private void tellAhead(long end) {
    for (long ahead : snapshots.tailSet(end, false)) {
      findings.add(
          Finding.of(
              FindingKind.SNAPSHOT_AHEAD,
              context.files().path(ahead, SegmentFiles.SNAPSHOT),
              0,
              "a snapshot at offset " + ahead,
              "none past the log's end, " + end));
    }
    snapshots.tailSet(end, false).clear();
  }

  /** Without any, even one past the end, Kafka takes it that there are no producers. */
  private void requireOne() {
    if (snapshots.isEmpty() && context.state().stop() == Stop.CLEAN) {
      findings.add(
          Finding.of(
              FindingKind.SNAPSHOT_MISSING,
              context.files().folder(),
              0,
              "no producer snapshot",
              "one at the log's end"));
    }
  }

  /**
   * The state before the first batch is that of its snapshot, or nothing if it is the very first.
   */
  private void begin(ReplayedProducers replay, long firstOffset) throws IOException {
    long start = context.state().offset(Kind.LOG_START, context.partition()).orElse(firstOffset);
    areComparable = start <= firstOffset;
    for (long early : List.copyOf(snapshots.headSet(firstOffset, true))) {
      Optional<List<ProducerState>> known = compare.read(early);
      snapshots.remove(early);
      if (early == firstOffset && known.isPresent()) {
        replay.beginWith(known.get());
        return;
      }
    }
    isComplete &= firstOffset == 0;
  }

  private void replay(
      ReplayedProducers replay, SegmentFacts segment, List<AbortedTransaction> aborted)
      throws IOException {
    try (DiskFile log =
        context.disk().openReadOnly(context.files().path(segment.baseOffset(), SegmentFiles.LOG))) {
      int from = 0;
      for (Stretch stretch : segment.damage()) {
        replay(BatchWalk.headers(log, from, stretch.position()), replay, aborted);
        from = stretch.end();
      }
      int to =
          (int)
              Math.min(
                  Integer.MAX_VALUE,
                  context.files().sizeBytes(segment.baseOffset(), SegmentFiles.LOG));
      replay(BatchWalk.headers(log, Math.min(from, to), to), replay, aborted);
    } catch (NoSuchFileException | CorruptLogException notForUs) {
      // A broker removed it meanwhile, or its batches are of an old format, without producers.
      isComplete = false;
    }
  }

  private void replay(BatchWalk walk, ReplayedProducers replay, List<AbortedTransaction> aborted)
      throws IOException {
    while (walk.next()) {
      RecordBatch batch = walk.batch();
      compareUpTo(batch.baseOffset(), replay);
      if (batch.hasProducerId()) {
        if (batch.isControl()) {
          replay.addMarker(walk.soundBatch()).ifPresent(aborted::add);
        } else {
          replay.addData(batch);
        }
      }
    }
  }

  private void compareUpTo(long offset, ReplayedProducers replay) throws IOException {
    while (!snapshots.isEmpty() && snapshots.first() <= offset) {
      long at = snapshots.pollFirst();
      Optional<List<ProducerState>> found = compare.read(at);
      if (found.isPresent() && isComplete && areComparable && !isOfCrash(at)) {
        compare.compare(at, found.get(), replay.producers());
      }
    }
  }

  private boolean isOfCrash(long offset) {
    return context.state().stop() == Stop.RUNNING
        || context.state().mayBeTornAt(context.partition(), offset);
  }
}
