package io.tidelog.compaction;

import io.tidelog.log.LastBatch;
import io.tidelog.record.BatchRemains;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.segment.SegmentDraft;
import java.io.IOException;
import java.util.BitSet;
import java.util.Map;

/**
 * Decides what stays of each batch, and writes it.
 *
 * <ul>
 *   <li>A record stays if its key has no later one among the keys that were read, or if it lies
 *       after all that was read. One without a key goes.
 *   <li>Records of aborted transactions go.
 *   <li>A batch with a tombstone gets a delete horizon when it is first compacted; from that time
 *       on its tombstones go too. So do markers of transactions of which no record is left.
 *   <li>A batch that lost all records leaves its header if its producer's state, or the end of what
 *       is acknowledged, depends on it.
 *   <li>A batch that stays whole stays byte for byte.
 * </ul>
 */
final class BatchFilter {
  private final Workspace tools;
  private final TransactionTrace transactions;
  private final Rules rules;
  private final BitSet kept = new BitSet();
  private Map<Long, LastBatch> lastBatches = Map.of();
  private long highWatermark;
  private int tombstones;

  /**
   * What holds for one run.
   *
   * @param latest the last offset that the keys tell of
   * @param nowMs when the run began
   * @param deleteRetentionMs how far from now a new delete horizon is
   */
  record Rules(long latest, long nowMs, long deleteRetentionMs) {

    boolean isPast(RecordBatch batch) {
      return batch.hasDeleteHorizon() && batch.baseTimestamp() <= nowMs;
    }

    /** Negative if that is never. */
    long newHorizonMs() {
      return nowMs + deleteRetentionMs;
    }
  }

  BatchFilter(Workspace tools, TransactionTrace transactions, Rules rules) {
    this.tools = tools;
    this.transactions = transactions;
    this.rules = rules;
  }

  /** Says what other batches depend on, as it is now. */
  void protect(Map<Long, LastBatch> lastOfProducers, long committedTo) {
    lastBatches = lastOfProducers;
    highWatermark = committedTo;
  }

  /**
   * Writes what stays of the batch at hand.
   *
   * @return how many of its records stay
   */
  int filter(OpenSegment source, SegmentDraft target) throws IOException {
    RecordBatch batch = source.batch();
    boolean isOfNothing =
        batch.isControl() && transactions.isOfNothing(batch, tools.records().controlType(source));
    boolean goes =
        batch.isControl() ? isOfNothing && rules.isPast(batch) : transactions.isAborted(batch);
    if (goes) {
      kept.clear();
    } else {
      choose(source);
    }
    if (kept.isEmpty()) {
      if (isNeededEmpty(batch)) {
        tools.write(tools.remains().headerOf(batch), target);
      }
      return 0;
    }
    write(source, target, isOfNothing);
    return kept.cardinality();
  }

  private boolean isNeededEmpty(RecordBatch batch) {
    LastBatch last = batch.hasProducerId() ? lastBatches.get(batch.producerId()) : null;
    return (last != null && last.is(batch)) || batch.nextOffset() == highWatermark;
  }

  private void choose(OpenSegment source) throws IOException {
    RecordWalk walk = tools.records();
    RecordCursor record = walk.record();
    boolean isControl = source.batch().isControl();
    boolean keepsTombstones = !rules.isPast(source.batch());
    kept.clear();
    tombstones = 0;
    walk.open(source);
    while (walk.next()) {
      if (isControl || stays(walk, keepsTombstones)) {
        kept.set(record.index());
        tombstones += record.hasValue() ? 0 : 1;
      }
    }
  }

  private boolean stays(RecordWalk walk, boolean keepsTombstones) {
    RecordCursor record = walk.record();
    if (record.offset() > rules.latest) {
      return true;
    }
    return record.hasKey()
        && (record.hasValue() || keepsTombstones)
        && record.offset() >= tools.keys().get(walk.key(), record.keySizeBytes());
  }

  private void write(OpenSegment source, SegmentDraft target, boolean isOfNothing)
      throws IOException {
    RecordBatch batch = source.batch();
    boolean needsHorizon =
        (tombstones > 0 || isOfNothing) && !batch.hasDeleteHorizon() && rules.newHorizonMs() >= 0;
    if (kept.cardinality() == batch.recordCount() && !needsHorizon) {
      tools.write(batch, target);
      return;
    }
    BatchRemains remains = tools.remains();
    if (needsHorizon) {
      remains.beginWithDeleteHorizon(batch, rules.newHorizonMs());
    } else {
      remains.begin(batch);
    }
    RecordWalk walk = tools.records();
    walk.open(source);
    while (walk.next()) {
      if (kept.get(walk.record().index())) {
        remains.keep(walk.record());
      }
    }
    tools.write(remains.finish(), target);
  }
}
