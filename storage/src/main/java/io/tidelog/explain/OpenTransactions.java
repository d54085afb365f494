package io.tidelog.explain;

import io.tidelog.disk.DiskFile;
import io.tidelog.producer.ProducerSnapshots;
import io.tidelog.producer.ProducerState;
import io.tidelog.producer.ProducerStates;
import io.tidelog.record.EndTransaction;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The transactions that are open at the end of a log, found in the newest producer snapshot and the
 * batches after it. The first of them holds the last stable offset.
 */
public final class OpenTransactions {
  private final PartitionOnDisk log;
  private final ProducerStates states;

  /**
   * An open transaction.
   *
   * @param producerId who began it
   * @param epoch the producer's epoch
   * @param firstOffset of its first record here
   * @param sinceMs that record's timestamp, ms
   * @param lastOffset of the producer's last record here, -1 if unknown
   * @param lastMs that record's timestamp, ms
   * @param coordinatorEpoch of the coordinator that ended the producer's last transaction here, -1
   *     if none did
   */
  public record Open(
      long producerId,
      short epoch,
      long firstOffset,
      long sinceMs,
      long lastOffset,
      long lastMs,
      int coordinatorEpoch) {}

  private OpenTransactions(PartitionOnDisk log) {
    this.log = log;
    this.states = new ProducerStates(log.partition());
  }

  /** Those of a log, by the offset at which they begin. */
  public static List<Open> of(PartitionOnDisk log) throws IOException {
    return new OpenTransactions(log).find();
  }

  private List<Open> find() throws IOException {
    long from =
        ProducerSnapshots.open(log.disk(), log.directory())
            .load(states, log.end())
            .orElse(log.segments().get(0).baseOffset());
    for (int i = log.floor(from); i < log.segments().size(); i++) {
      replay(log.segments().get(i), from);
    }
    List<Open> open = new ArrayList<>();
    for (ProducerState state : states.all()) {
      if (state.transactionStart().isPresent()) {
        open.add(open(state));
      }
    }
    open.sort(Comparator.comparingLong(Open::firstOffset));
    return open;
  }

  private Open open(ProducerState state) throws IOException {
    long first = state.transactionStart().getAsLong();
    OffsetLookup found = OffsetLookup.of(log.segments().get(log.floor(first)), first);
    return new Open(
        state.producerId(),
        state.epoch(),
        first,
        found.batch().map(RecordBatch::baseTimestamp).orElse(RecordBatch.NO_TIMESTAMP),
        state.lastOffset(),
        state.lastTimestampMs(),
        state.coordinatorEpoch());
  }

  private void replay(SegmentOnDisk segment, long from) throws IOException {
    try (DiskFile file = segment.openLog()) {
      SoundWalk walk = segment.walk(file, stretch -> {});
      while (walk.next()) {
        if (walk.batch().baseOffset() >= from && walk.batch().hasProducerId()) {
          apply(walk.batch().isControl() ? walk.soundBatch() : walk.batch());
        }
      }
    }
  }

  private void apply(RecordBatch batch) {
    if (!batch.isControl()) {
      states.apply(batch);
      return;
    }
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor marker = new RecordCursor(codecs);
      marker.open(batch, UnpackLimits.DEFAULT);
      if (marker.next()) {
        states.endTransaction(batch, EndTransaction.ofValue(marker.value()).coordinatorEpoch());
      }
    } catch (InvalidBatchException notAMarker) {
      // It ends nothing.
    }
  }
}
