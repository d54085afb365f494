package io.tidelog.verify;

import io.tidelog.record.RecordBatch;
import io.tidelog.segment.OffsetWitness;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Whether the batches of a segment follow one another: offsets rise, leader epochs do not fall.
 * Both lie outside of a batch's CRC, so what tells a wrong one are its neighbours: a batch is
 * judged when the next one is known, and handed on as it should be.
 */
final class BatchOrder {
  static final int ANY_EPOCH = Integer.MAX_VALUE;

  private final Path log;
  private final long baseOffset;
  private final FindingList findings;
  private final OffsetWitness witness;
  private final Sink settled;
  private final Gaps gaps = new Gaps();
  private long expected;
  private int epoch = RecordBatch.NO_LEADER_EPOCH;
  private BatchFacts pending;

  /** Gets each batch once it is judged. */
  @FunctionalInterface
  interface Sink {
    void next(BatchFacts batch) throws IOException;
  }

  /**
   * The holes between the batches.
   *
   * <p>One may be what compaction leaves; the whole log tells.
   */
  static final class Gaps {
    private BatchFacts first;
    private long expectedAtFirst;
    private long count;

    private void add(BatchFacts batch, long expectedOffset) {
      if (count++ == 0) {
        first = batch;
        expectedAtFirst = expectedOffset;
      }
    }

    /** The first offset that is missing, if there are any. */
    OptionalLong first() {
      return count > 0 ? OptionalLong.of(expectedAtFirst) : OptionalLong.empty();
    }

    /** A finding of this kind, if there are any. */
    void tell(Path log, FindingKind kind, FindingList sink) {
      if (count > 0) {
        String more = count > 1 ? "; %d more such holes follow".formatted(count - 1) : "";
        sink.add(
            Finding.of(
                    kind,
                    log,
                    first.position(),
                    "offset " + first.baseOffset() + more,
                    String.valueOf(expectedAtFirst))
                .about(expectedAtFirst, first.baseOffset()));
      }
    }
  }

  /**
   * @param baseOffset of the segment
   * @param witness may know better than a header which offset a batch has
   * @param settled gets each batch once it is judged
   */
  BatchOrder(Path log, long baseOffset, FindingList findings, OffsetWitness witness, Sink settled) {
    this.log = log;
    this.baseOffset = baseOffset;
    this.findings = findings;
    this.witness = witness;
    this.settled = settled;
    this.expected = baseOffset;
  }

  /** The offset after the last batch. */
  long nextOffset() {
    return pending == null ? expected : Math.max(expected, pending.nextOffset());
  }

  Gaps gaps() {
    return gaps;
  }

  /** The next batch. */
  void add(BatchFacts batch) throws IOException {
    settle(OptionalLong.of(batch.baseOffset()), batch.epoch());
    pending = batch;
  }

  /** Something else follows, and after it the log goes on at an offset. */
  void goOnAt(long offset) throws IOException {
    settle(OptionalLong.of(offset), ANY_EPOCH);
    expected = Math.max(expected, offset);
  }

  /**
   * The segment ends.
   *
   * @param nextBaseOffset of the next one, if there is any
   * @param nextEpoch that of its first batch, {@link #ANY_EPOCH} if it is not known
   */
  void end(OptionalLong nextBaseOffset, int nextEpoch) throws IOException {
    settle(nextBaseOffset, nextEpoch);
  }

  private void settle(OptionalLong next, int nextEpoch) throws IOException {
    if (pending == null) {
      return;
    }
    BatchFacts batch = withRightEpoch(withRightOffset(asNamed(pending, next), next), nextEpoch);
    pending = null;
    expected = batch.nextOffset();
    if (batch.epoch() > epoch) {
      epoch = batch.epoch();
    }
    settled.next(batch);
  }

  /** With the offset that both indexes name, if it fits as well as its own may. */
  private BatchFacts asNamed(BatchFacts batch, OptionalLong next) {
    long last = witness.lastOffset(batch.position(), batch.lastOffset(), batch.maxTimestamp());
    long first = last - batch.lastOffsetDelta();
    if (last == batch.lastOffset()
        || first < expected
        || next.isPresent() && next.getAsLong() <= last) {
      return batch;
    }
    findings.add(
        Finding.of(
                FindingKind.BASE_OFFSET_WRONG,
                log,
                batch.position(),
                "base offset " + batch.baseOffset(),
                first + ", as both indexes say")
            .about(first, last + 1));
    return batch.withBaseOffset(first);
  }

  private BatchFacts withRightOffset(BatchFacts batch, OptionalLong next) {
    long rightNext = expected + batch.lastOffsetDelta() + 1;
    boolean wouldFit = next.isEmpty() || next.getAsLong() >= rightNext;
    boolean isPastNext = next.isPresent() && next.getAsLong() < batch.nextOffset();
    boolean isTooFar = batch.lastOffset() - baseOffset > Integer.MAX_VALUE;
    if ((batch.baseOffset() < expected || isPastNext || isTooFar)
        && batch.baseOffset() != expected
        && wouldFit) {
      findings.add(
          Finding.of(
                  FindingKind.BASE_OFFSET_WRONG,
                  log,
                  batch.position(),
                  "base offset " + batch.baseOffset(),
                  expectedOffset(next, rightNext))
              .about(expected, rightNext));
      return batch.withBaseOffset(expected);
    }
    if (batch.baseOffset() < expected) {
      findings.add(
          Finding.of(
                  FindingKind.OFFSETS_OVERLAP,
                  log,
                  batch.position(),
                  "offsets %d to %d".formatted(batch.baseOffset(), batch.lastOffset()),
                  expected + " or more")
              .about(batch.baseOffset(), expected));
    } else if (batch.baseOffset() > expected) {
      gaps.add(batch, expected);
    }
    return batch;
  }

  private String expectedOffset(OptionalLong next, long rightNext) {
    return next.isPresent() && next.getAsLong() == rightNext
        ? String.valueOf(expected)
        : expected + " or more, below the next batch";
  }

  private BatchFacts withRightEpoch(BatchFacts batch, int nextEpoch) {
    int own = batch.epoch();
    if (own == RecordBatch.NO_LEADER_EPOCH) {
      return batch;
    }
    boolean isAlone = own > epoch && nextEpoch < own && nextEpoch >= Math.max(epoch, 0);
    if (own >= epoch && !isAlone) {
      return batch;
    }
    findings.add(
        Finding.of(
                FindingKind.EPOCH_FALLS,
                log,
                batch.position(),
                "leader epoch " + own,
                isAlone ? epoch + " to " + nextEpoch : epoch + " or more")
            .about(batch.baseOffset(), batch.nextOffset()));
    return batch.withEpoch(isAlone ? nextEpoch : epoch);
  }
}
