package io.tidelog.verify;

import io.tidelog.record.RecordBatch;

/**
 * What the header of a sound batch says, as far as its neighbours have to agree.
 *
 * @param position where it starts in the log
 * @param end where it ends
 * @param baseOffset its first offset
 * @param lastOffsetDelta its last offset less the first
 * @param epoch its leader epoch
 * @param maxTimestamp its largest timestamp
 */
record BatchFacts(
    int position, int end, long baseOffset, int lastOffsetDelta, int epoch, long maxTimestamp) {

  static BatchFacts of(RecordBatch batch, int position) {
    return new BatchFacts(
        position,
        position + batch.sizeBytes(),
        batch.baseOffset(),
        batch.lastOffsetDelta(),
        batch.leaderEpoch(),
        batch.maxTimestamp());
  }

  long lastOffset() {
    return baseOffset + lastOffsetDelta;
  }

  long nextOffset() {
    return lastOffset() + 1;
  }

  BatchFacts withBaseOffset(long offset) {
    return new BatchFacts(position, end, offset, lastOffsetDelta, epoch, maxTimestamp);
  }

  BatchFacts withEpoch(int other) {
    return new BatchFacts(position, end, baseOffset, lastOffsetDelta, other, maxTimestamp);
  }
}
