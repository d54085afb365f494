package io.tidelog.producer;

import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a partition remembers of one producer: its epoch, where its last five batches are, and where
 * its open transaction begins.
 */
public final class ProducerState {
  /** As many batches as a producer may have under way. */
  static final int REMEMBERED_BATCHES = 5;

  static final long NO_OFFSET = -1;

  private final long producerId;
  private short epoch = RecordBatch.NO_PRODUCER_EPOCH;
  private int coordinatorEpoch = -1;
  private long lastTimestampMs = RecordBatch.NO_TIMESTAMP;
  private long transactionStart = NO_OFFSET;

  // A ring: the oldest batch is at index first.
  private final int[] lastSequences = new int[REMEMBERED_BATCHES];
  private final long[] lastOffsets = new long[REMEMBERED_BATCHES];
  private final int[] offsetDeltas = new int[REMEMBERED_BATCHES];
  private final long[] timestampsMs = new long[REMEMBERED_BATCHES];
  private int first;
  private int size;

  ProducerState(long producerId) {
    this.producerId = producerId;
  }

  public long producerId() {
    return producerId;
  }

  /** Epoch of its last batch or transaction marker, -1 if there was none. */
  public short epoch() {
    return epoch;
  }

  /** Epoch of the transaction coordinator that wrote its last marker, -1 if there was none. */
  public int coordinatorEpoch() {
    return coordinatorEpoch;
  }

  /** Timestamp of its last batch or marker, in milliseconds. */
  public long lastTimestampMs() {
    return lastTimestampMs;
  }

  /** Offset at which its open transaction begins. */
  public OptionalLong transactionStart() {
    return transactionStart == NO_OFFSET ? OptionalLong.empty() : OptionalLong.of(transactionStart);
  }

  boolean hasOpenTransaction() {
    return transactionStart != NO_OFFSET;
  }

  /** Whether its transaction is open, in this epoch. */
  boolean isInTransaction(short inEpoch) {
    return hasOpenTransaction() && epoch == inEpoch;
  }

  /** Whether it has written batches in its epoch. */
  boolean hasBatches() {
    return size > 0;
  }

  /** Sequence number of the last record of its last batch in this epoch, -1 if there is none. */
  public int lastSequence() {
    return size == 0 ? RecordBatch.NO_SEQUENCE : lastSequences[last()];
  }

  /** Offset of the last record of its last batch in this epoch, -1 if there is none. */
  public long lastOffset() {
    return size == 0 ? NO_OFFSET : lastOffsets[last()];
  }

  /** How many offsets its last batch in this epoch has after the first, 0 if there is none. */
  public int lastOffsetDelta() {
    return size == 0 ? 0 : offsetDeltas[last()];
  }

  private int last() {
    return (first + size - 1) % REMEMBERED_BATCHES;
  }

  /** The remembered batch that this one is a copy of. */
  Optional<WrittenBatch> find(RecordBatch batch) {
    if (batch.producerEpoch() != epoch) {
      return Optional.empty();
    }
    int lastSequence = batch.lastSequence();
    for (int i = 0; i < size; i++) {
      int at = (first + i) % REMEMBERED_BATCHES;
      if (lastSequences[at] == lastSequence
          && RecordBatch.addToSequence(lastSequence, -offsetDeltas[at]) == batch.baseSequence()) {
        return Optional.of(
            new WrittenBatch(
                lastOffsets[at] - offsetDeltas[at], lastOffsets[at], timestampsMs[at]));
      }
    }
    return Optional.empty();
  }

  /** Takes in a data batch that was written. */
  void add(RecordBatch batch) {
    enter(batch.producerEpoch());
    lastTimestampMs = batch.maxTimestamp();
    remember(batch.lastSequence(), batch.lastOffset(), batch.lastOffsetDelta());
    if (batch.isTransactional() && !hasOpenTransaction()) {
      transactionStart = batch.baseOffset();
    }
  }

  /** Takes in the marker that ends its transaction. */
  void endTransaction(RecordBatch marker, int epochOfCoordinator) {
    enter(marker.producerEpoch());
    lastTimestampMs = marker.maxTimestamp();
    coordinatorEpoch = epochOfCoordinator;
    transactionStart = NO_OFFSET;
  }

  /** Its transaction has ended, nobody knows how. */
  void forgetTransaction() {
    transactionStart = NO_OFFSET;
  }

  /** A new epoch begins without batches. */
  private void enter(short newEpoch) {
    if (epoch != newEpoch) {
      epoch = newEpoch;
      size = 0;
    }
  }

  /** One batch, with the last timestamp. */
  private void remember(int lastSequence, long lastOffset, int offsetDelta) {
    if (size == REMEMBERED_BATCHES) {
      first = (first + 1) % REMEMBERED_BATCHES;
    } else {
      size++;
    }
    int at = last();
    lastSequences[at] = lastSequence;
    lastOffsets[at] = lastOffset;
    offsetDeltas[at] = offsetDelta;
    timestampsMs[at] = lastTimestampMs;
  }

  /** Reads an entry of a snapshot, see {@link ProducerSnapshot}; of its batches it has the last. */
  static ProducerState readFrom(ByteBuffer entry) {
    ProducerState state = new ProducerState(entry.getLong());
    state.epoch = entry.getShort();
    int lastSequence = entry.getInt();
    long lastOffset = entry.getLong();
    int offsetDelta = entry.getInt();
    state.lastTimestampMs = entry.getLong();
    state.coordinatorEpoch = entry.getInt();
    state.transactionStart = Math.max(NO_OFFSET, entry.getLong());
    if (lastOffset >= 0) {
      state.remember(lastSequence, lastOffset, offsetDelta);
    }
    return state;
  }

  /** Writes an entry of a snapshot. */
  void writeTo(ByteBuffer entry) {
    entry.putLong(producerId).putShort(epoch).putInt(lastSequence()).putLong(lastOffset());
    entry.putInt(lastOffsetDelta()).putLong(lastTimestampMs).putInt(coordinatorEpoch);
    entry.putLong(transactionStart);
  }
}
