package io.tidelog.coordinator;

import io.tidelog.log.LogSlice;
import io.tidelog.log.LogView;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.segment.LostOffsetsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader.LoadSummary;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.apache.kafka.coordinator.common.runtime.Deserializer.UnknownRecordTypeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays one log from its start to its end into a coordinator's state. Used once, by one thread.
 *
 * <p>What is lost with damage is passed over: all else that the log holds counts.
 *
 * <p>The coordinator keeps every state between the committed offset and the written one apart. So
 * that a long log does not fill the heap, the state is committed every {@value #COMMIT_INTERVAL}
 * offsets on the way, and at the high watermark.
 *
 * @param <U> a record as the coordinator takes it
 */
final class StateReplay<U> {
  private static final Logger LOG = LoggerFactory.getLogger(StateReplay.class);
  private static final long COMMIT_INTERVAL = 16_384;

  private final PartitionLog log;
  private final CoordinatorPlayback<U> playback;
  private final Deserializer<U> records;
  private final int bufferBytes;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private long written;
  private long committed;
  private long recordCount;
  private long sizeBytes;

  StateReplay(
      PartitionLog log, CoordinatorPlayback<U> playback, Deserializer<U> records, int bufferBytes) {
    this.log = log;
    this.playback = playback;
    this.records = records;
    this.bufferBytes = bufferBytes;
  }

  /**
   * Plays all that the log holds; false if it was not wanted any more before the end.
   *
   * @throws IllegalStateException if a record cannot be read, naming log and offset
   */
  boolean run(BooleanSupplier wanted) throws IOException {
    long offset = log.view().start();
    for (long end = log.view().end(); offset < end; end = log.view().end()) {
      if (!wanted.getAsBoolean()) {
        return false;
      }
      offset = replayFrom(offset, end);
    }
    // A log may end past its last record: nothing was played, but the next append lands there.
    if (offset > written) {
      reached(offset);
    }
    return true;
  }

  /** Plays the next batches. @return the offset after them; if these are lost, the next good one */
  private long replayFrom(long from, long end) throws IOException {
    long offset = from;
    try {
      MemoryRecords read = read(from);
      for (RecordBatch batch : read.batches()) {
        replay(batch);
        offset = batch.nextOffset();
        reached(offset);
      }
      return read.sizeInBytes() == 0 ? end : offset;
    } catch (LostOffsetsException lost) {
      LOG.error(
          "{} is loaded without what was lost with damage: {}",
          log.topicPartition(),
          lost.getMessage());
      return Math.min(lost.stretch().part().endOffset(), end);
    }
  }

  private MemoryRecords read(long offset) throws IOException {
    LogSlice slice = log.read(offset, bufferBytes, ReadUpTo.LOG_END);
    try {
      if (buffer.capacity() < slice.sizeBytes()) {
        buffer = ByteBuffer.allocate(slice.sizeBytes());
      }
      buffer.clear().limit(slice.sizeBytes());
      slice.read(buffer, 0);
      sizeBytes += slice.sizeBytes();
      return MemoryRecords.readableRecords(buffer.flip());
    } finally {
      slice.release();
    }
  }

  private void replay(RecordBatch batch) {
    for (Record entry : batch) {
      recordCount++;
      try {
        if (batch.isControlBatch()) {
          replayMarker(batch, ControlRecordType.parse(entry.key()));
        } else {
          playback.replay(
              entry.offset(),
              batch.producerId(),
              batch.producerEpoch(),
              records.deserialize(entry.key(), entry.value()));
        }
      } catch (UnknownRecordTypeException e) {
        LOG.warn(
            "{} at offset {}: left out a record of type {}, which this version does not know",
            log.topicPartition(),
            entry.offset(),
            e.unknownType());
      } catch (RuntimeException e) {
        throw new IllegalStateException(
            "%s at offset %d: the record cannot be read back into the coordinator: %s"
                .formatted(log.topicPartition(), entry.offset(), e.getMessage()),
            e);
      }
    }
  }

  private void replayMarker(RecordBatch batch, ControlRecordType marker) {
    if (marker == ControlRecordType.COMMIT || marker == ControlRecordType.ABORT) {
      playback.replayEndTransactionMarker(
          batch.producerId(),
          batch.producerEpoch(),
          marker == ControlRecordType.COMMIT ? TransactionResult.COMMIT : TransactionResult.ABORT);
    }
  }

  /**
   * Notes that all below {@code offset} was played. What is past the high watermark is not
   * committed.
   */
  private void reached(long offset) {
    LogView view = log.view();
    boolean commit =
        offset == view.highWatermark()
            || (offset < view.highWatermark() && offset - committed >= COMMIT_INTERVAL);
    if (commit || offset > view.highWatermark()) {
      playback.updateLastWrittenOffset(offset);
      written = offset;
    }
    if (commit) {
      playback.updateLastCommittedOffset(offset);
      committed = offset;
    }
  }

  /** What the coordinator is told in the end; times in milliseconds since the epoch. */
  LoadSummary summary(long askedMs, long startMs, long endMs) {
    return new LoadSummary(startMs, endMs, startMs - askedMs, recordCount, sizeBytes);
  }
}
