package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.BatchScan.OffsetLimits;
import io.tidelog.verify.IndexChecks.Trust;
import io.tidelog.verify.PartitionContext.Compaction;
import io.tidelog.verify.SegmentFacts.EpochStart;
import io.tidelog.verify.SegmentFacts.Traits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** Checks one segment: its log from the first byte to the last, and its indexes against it. */
final class SegmentCheck {
  private static final int TELL_EVERY_BYTES = 16 << 20;

  private final PartitionContext context;
  private final long baseOffset;
  private final OptionalLong nextBase;
  private final Path log;
  private final LongConsumer progress;
  private final FindingList findings = new FindingList();
  private final List<Stretch> damage = new ArrayList<>();
  private final List<EpochStart> epochs = new ArrayList<>();
  private final HeaderCheck headers;
  private final BatchOrder order;
  private IndexChecks indexes;
  private long batches;
  private boolean hasProducers;
  private boolean hasOldBatches;
  private int told;
  private int scanned;

  /**
   * @param progress told of bytes that were checked
   */
  SegmentCheck(PartitionContext context, long baseOffset, LongConsumer progress) {
    this.context = context;
    this.baseOffset = baseOffset;
    this.nextBase = context.files().nextBase(baseOffset);
    this.log = context.files().path(baseOffset, SegmentFiles.LOG);
    this.progress = progress;
    this.headers = new HeaderCheck(log, findings);
    this.order = new BatchOrder(log, baseOffset, findings, this::settled);
  }

  /** Checks it, as far as it can be read. */
  SegmentFacts run() {
    int logBytes = logBytes();
    try {
      check(logBytes);
    } catch (IOException unreadable) {
      if (context.state().stop() != Stop.RUNNING || !isGone(unreadable)) {
        findings.add(
            Finding.of(
                FindingKind.UNREADABLE, log, scanned, unreadable.toString(), "a file to read"));
      }
    }
    progress.accept(logBytes - told);
    return new SegmentFacts(
        baseOffset,
        order.nextOffset(),
        epochs,
        damage,
        order.gaps(),
        new Traits(headers.isCompacted(), hasProducers),
        batches,
        findings.all());
  }

  /** A broker at work may remove a segment, or cut it, while it is looked at. */
  private static boolean isGone(IOException e) {
    return e instanceof NoSuchFileException || e instanceof CutWhileReadException;
  }

  private void check(int logBytes) throws IOException {
    try (DiskFile file = context.disk().openReadOnly(log);
        IndexChecks opened = IndexChecks.open(context, baseOffset, trust());
        RecordsCheck records = new RecordsCheck(log, findings, contents())) {
      indexes = opened;
      scan(new BatchScan(file, logBytes, limits()), records);
      order.end(nextBase, nextEpoch());
      indexes.end(logBytes, order.nextOffset(), findings);
      if (context.compaction() == Compaction.SURELY) {
        records.tellNullKeys();
      }
    }
  }

  private int logBytes() {
    long sizeBytes = context.files().sizeBytes(baseOffset, SegmentFiles.LOG);
    if (sizeBytes > Integer.MAX_VALUE) {
      findings.add(
          Finding.of(
              FindingKind.LOG_TOO_LARGE,
              log,
              Integer.MAX_VALUE,
              sizeBytes + " bytes",
              "at most " + Integer.MAX_VALUE));
    }
    return (int) Math.min(sizeBytes, Integer.MAX_VALUE);
  }

  /** The leader epoch with which the next segment begins, if its first header can be read. */
  private int nextEpoch() throws IOException {
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
    }
  }

  private OffsetLimits limits() {
    return new OffsetLimits(baseOffset, nextBase.orElse(baseOffset + Integer.MAX_VALUE + 1L));
  }

  private Trust trust() {
    boolean isActive = nextBase.isEmpty();
    long end = nextBase.orElse(Long.MAX_VALUE);
    if (context.state().isReadAgain(context.partition(), end)) {
      return Trust.REBUILT;
    }
    return isActive && context.state().stop() != Stop.CLEAN ? Trust.GROWING : Trust.WHOLE;
  }

  private Optional<RecordCheck> contents() {
    return context.options().depth() == VerifyOptions.Depth.DEEP
        ? context.options().records().of(context.partition().topic())
        : Optional.empty();
  }

  private void scan(BatchScan scan, RecordsCheck records) throws IOException {
    boolean isDeep = context.options().depth() == VerifyOptions.Depth.DEEP;
    while (true) {
      switch (scan.next(order.nextOffset())) {
        case BATCH -> {
          RecordBatch batch = scan.batch();
          batches++;
          hasProducers |= batch.hasProducerId();
          headers.check(batch, scan.position());
          order.add(BatchFacts.of(batch, scan.position()));
          if (isDeep) {
            records.check(scan.whole(), scan.position());
          }
        }
        case OLD_BATCH -> addOld(scan);
        case DAMAGE -> addDamage(scan.damage());
        case END -> {
          return;
        }
      }
      tellProgress(scan.end());
    }
  }

  private void tellProgress(int done) {
    scanned = done;
    if (done - told >= TELL_EVERY_BYTES) {
      progress.accept(done - told);
      told = done;
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

  private void settled(BatchFacts batch) throws IOException {
    if (batch.epoch() != RecordBatch.NO_LEADER_EPOCH
        && (epochs.isEmpty() || epochs.get(epochs.size() - 1).epoch() != batch.epoch())) {
      epochs.add(new EpochStart(batch.epoch(), batch.baseOffset(), batch.position()));
    }
    indexes.add(batch);
  }
}
