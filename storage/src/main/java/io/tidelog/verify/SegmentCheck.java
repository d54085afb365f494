package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.OffsetWitness;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.BatchScan.OffsetLimits;
import io.tidelog.verify.IndexChecks.Trust;
import io.tidelog.verify.PartitionContext.Compaction;
import io.tidelog.verify.SegmentFacts.EpochStart;
import io.tidelog.verify.SegmentFacts.Known;
import io.tidelog.verify.SegmentFacts.Traits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;

/** Checks one segment: its log from the first byte to the last, and its indexes against it. */
final class SegmentCheck {
  private final PartitionContext context;
  private final long baseOffset;
  private final OptionalLong nextBase;
  private final Path log;
  private final CheckThreads threads;
  private final LongConsumer progress;
  private final FindingList findings = new FindingList();
  private final List<Stretch> damage = new ArrayList<>();
  private final List<EpochStart> epochs = new ArrayList<>();
  private final BatchOrder order;
  private IndexChecks indexes;
  private Traits traits = new Traits(false, false);
  private NullKeys nullKeys = NullKeys.NONE;
  private long batches;
  private boolean hasOldBatches;
  private int scanned;

  /**
   * @param threads free ones take pieces of a large segment
   * @param progress told of bytes that were checked
   */
  SegmentCheck(
      PartitionContext context, long baseOffset, CheckThreads threads, LongConsumer progress) {
    this.threads = threads;
    this.context = context;
    this.baseOffset = baseOffset;
    this.nextBase = context.files().nextBase(baseOffset);
    this.log = context.files().path(baseOffset, SegmentFiles.LOG);
    this.progress = progress;
    this.order = new BatchOrder(log, baseOffset, findings, witness(), this::settled);
  }

  /** Checks it, as far as it can be read. */
  SegmentFacts run() {
    long logBytes = context.files().sizeBytes(baseOffset, SegmentFiles.LOG);
    Known known = Known.PART;
    if (logBytes > Integer.MAX_VALUE) {
      findings.add(tooLarge(logBytes));
    } else {
      try {
        known = check((int) logBytes);
      } catch (IOException unreadable) {
        if (context.state().stop() != Stop.RUNNING || !isGone(unreadable)) {
          findings.add(Unreadable.finding(log, scanned, unreadable));
        }
      }
    }
    progress.accept(logBytes - scanned);
    return new SegmentFacts(
        baseOffset,
        order.nextOffset(),
        epochs,
        damage,
        order.gaps(),
        traits,
        batches,
        known,
        findings);
  }

  /** A broker at work may remove a segment, or cut it, while it is looked at. */
  private static boolean isGone(IOException e) {
    return e instanceof NoSuchFileException || e instanceof CutWhileReadException;
  }

  private Known check(int logBytes) throws IOException {
    try (DiskFile file = context.disk().openReadOnly(log);
        IndexChecks opened = IndexChecks.open(context, baseOffset, trust(), findings)) {
      Optional<Finding> exchanged = new ExchangedLog(context, baseOffset).find(file, logBytes);
      if (exchanged.isPresent()) {
        findings.add(exchanged.get());
        return Known.PART;
      }
      indexes = opened;
      scan(file, logBytes);
      order.end(nextBase, nextEpoch());
      OptionalLong namedEnd = indexes.end(logBytes, missingAtEnd());
      if (context.compaction() == Compaction.SURELY) {
        tellNullKeys();
      }
      return new Known(true, namedEnd);
    }
  }

  /** Which offsets are missing at the end, unless compaction took them. */
  private OffsetLimits missingAtEnd() {
    long end = order.nextOffset();
    return new OffsetLimits(end, nextBase.orElse(end));
  }

  private Finding tooLarge(long logBytes) {
    return Finding.of(
        FindingKind.LOG_TOO_LARGE,
        log,
        Integer.MAX_VALUE,
        logBytes + " bytes",
        "at most " + Integer.MAX_VALUE);
  }

  /** The leader epoch with which the next segment begins, if its first header can be read. */
  private int nextEpoch() {
    if (nextBase.isEmpty()) {
      return BatchOrder.ANY_EPOCH;
    }
    ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
    try (DiskFile next =
        context.disk().openReadOnly(context.files().path(nextBase.getAsLong(), SegmentFiles.LOG))) {
      boolean isWhole = next.read(header, 0) == RecordBatch.HEADER_BYTES;
      RecordBatch batch = RecordBatch.at(header.clear(), 0);
      return isWhole && batch.magic() == RecordBatch.MAGIC && batch.leaderEpoch() >= 0
          ? batch.leaderEpoch()
          : BatchOrder.ANY_EPOCH;
    } catch (IOException toldByItsOwnCheck) {
      return BatchOrder.ANY_EPOCH;
    }
  }

  private OffsetLimits limits() {
    return new OffsetLimits(baseOffset, nextBase.orElse(baseOffset + Integer.MAX_VALUE + 1L));
  }

  /** Indexes that the next start makes anew are no witnesses. */
  private OffsetWitness witness() {
    return trust() == Trust.REBUILT
        ? OffsetWitness.NONE
        : OffsetWitness.of(context.disk(), context.files().folder(), baseOffset);
  }

  private Trust trust() {
    boolean isActive = nextBase.isEmpty();
    long end = nextBase.orElse(Long.MAX_VALUE);
    if (context.state().isReadAgain(context.partition(), end)) {
      return Trust.REBUILT;
    }
    return isActive && context.state().stop() != Stop.CLEAN ? Trust.GROWING : Trust.WHOLE;
  }

  /**
   * Piece by piece, and what stands between batches here, since it needs to know what came before.
   */
  private void scan(DiskFile file, int logBytes) throws IOException {
    BatchScan scan = new BatchScan(file, logBytes, limits());
    Queue<BatchScan> idle = new ConcurrentLinkedQueue<>();
    Pieces pieces =
        new Pieces(
            threads,
            Pieces.starts(context, baseOffset, logBytes),
            logBytes,
            (from, to) -> {
              BatchScan free = idle.poll();
              BatchScan own = free == null ? new BatchScan(file, logBytes, limits()) : free;
              PieceFacts facts = new PieceCheck(context, log, own).run(from, to);
              idle.add(own);
              return facts;
            });
    boolean isAtEnd = false;
    while (!isAtEnd) {
      Optional<PieceFacts> ahead = pieces.at(scanned);
      PieceFacts piece =
          ahead.isPresent()
              ? ahead.get()
              : new PieceCheck(context, log, scan).run(scanned, pieces.endFrom(scanned));
      take(piece);
      if (piece.isStopped() || piece.end() >= logBytes) {
        scan.goOnAt(piece.end());
        isAtEnd = stepOver(scan);
      }
    }
  }

  private void take(PieceFacts piece) throws IOException {
    for (BatchFacts batch : piece.batches()) {
      order.add(batch);
    }
    batches += piece.batches().size();
    traits = traits.or(piece.traits());
    nullKeys = nullKeys.plus(piece.nullKeys());
    findings.add(piece.findings());
    goOnAt(piece.end());
  }

  /** Steps over what is no sound batch. @return whether it is the end */
  private boolean stepOver(BatchScan scan) throws IOException {
    switch (scan.next(order.nextOffset())) {
      case BATCH -> {
        return false; // A broker has written it meanwhile.
      }
      case OLD_BATCH -> addOld(scan);
      case DAMAGE -> addDamage(scan.damage());
      case END -> {
        return true;
      }
    }
    goOnAt(scan.end());
    return false;
  }

  private void goOnAt(int position) {
    progress.accept(position - scanned);
    scanned = position;
  }

  private void tellNullKeys() {
    if (nullKeys.count() > 0) {
      findings.add(
          Finding.of(
              FindingKind.NULL_KEY,
              log,
              nullKeys.firstAt(),
              nullKeys.count() + " records without a key, the first in the batch here",
              "a key in each"));
    }
  }

  private void addOld(BatchScan scan) throws IOException {
    if (!hasOldBatches) {
      hasOldBatches = true;
      findings.add(
          Finding.of(
              FindingKind.OLD_FORMAT,
              log,
              scan.position(),
              "a batch of an old format version",
              "version " + RecordBatch.MAGIC));
    }
    order.goOnAt(scan.oldBatch().offset() + 1);
  }

  private void addDamage(Stretch stretch) throws IOException {
    order.goOnAt(stretch.isTail() ? stretch.offset() : stretch.nextOffset());
    indexes.passOver(stretch);
    damage.add(stretch);
  }

  private void settled(BatchFacts batch) {
    if (batch.epoch() != RecordBatch.NO_LEADER_EPOCH
        && (epochs.isEmpty() || epochs.get(epochs.size() - 1).epoch() != batch.epoch())) {
      epochs.add(new EpochStart(batch.epoch(), batch.baseOffset(), batch.position()));
    }
    indexes.add(batch);
  }
}
