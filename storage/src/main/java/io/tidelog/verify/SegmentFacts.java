package io.tidelog.verify;

import java.util.List;
import java.util.OptionalLong;

/**
 * What was found in one segment, and what the others have to agree with.
 *
 * @param baseOffset the offset in its name
 * @param nextOffset the offset after its last batch
 * @param epochs where leader epochs begin in it
 * @param damage the stretches of its log that are no sound batches
 * @param gaps the holes between its batches
 * @param traits what its batches are like
 * @param batches how many sound ones
 * @param known how much of it is known
 * @param findings all but the damage and the gaps, which the whole log has to judge
 */
record SegmentFacts(
    long baseOffset,
    long nextOffset,
    List<EpochStart> epochs,
    List<Stretch> damage,
    BatchOrder.Gaps gaps,
    Traits traits,
    long batches,
    Known known,
    FindingList findings) {

  /**
   * How much of it is known.
   *
   * @param isWhole its log was read to the end; else nothing follows from what is not in it
   * @param namedEnd one more than the last offset past its log's end that its index names, up to
   *     the next segment: these batches were there
   */
  record Known(boolean isWhole, OptionalLong namedEnd) {
    static final Known PART = new Known(false, OptionalLong.empty());
  }

  /** Whether its log was read to the end. */
  boolean isWhole() {
    return known.isWhole();
  }

  /**
   * Where a leader epoch begins.
   *
   * @param epoch the epoch
   * @param offset the first offset that has it
   * @param position where that batch starts
   */
  record EpochStart(int epoch, long offset, int position) {}

  /**
   * What batches are like.
   *
   * @param isCompacted some have lost records to compaction
   * @param hasProducers some have a producer id
   */
  record Traits(boolean isCompacted, boolean hasProducers) {
    Traits or(Traits others) {
      return new Traits(isCompacted || others.isCompacted, hasProducers || others.hasProducers);
    }
  }

  boolean isEmpty() {
    return batches == 0 && damage.isEmpty() && isWhole();
  }
}
