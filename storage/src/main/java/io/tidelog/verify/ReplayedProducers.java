package io.tidelog.verify;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.producer.EndedTransaction;
import io.tidelog.producer.ProducerState;
import io.tidelog.producer.ProducerStates;
import io.tidelog.record.ControlType;
import io.tidelog.record.EndTransaction;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.AbortedTransaction;
import java.util.Collection;
import java.util.Optional;

/** What the batches of a log say of its producers and their transactions. For one thread. */
final class ReplayedProducers implements AutoCloseable {
  private final ProducerStates states;
  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final RecordCursor marker = new RecordCursor(codecs);

  ReplayedProducers(TopicPartition partition) {
    this.states = new ProducerStates(partition);
  }

  /** Begins with what a snapshot says. */
  void beginWith(Collection<ProducerState> known) {
    states.remember(known, Long.MIN_VALUE);
  }

  Collection<ProducerState> producers() {
    return states.all();
  }

  /** Takes in a data batch. */
  void addData(RecordBatch header) {
    states.apply(header);
  }

  /**
   * Takes in a control batch, of which all bytes must be there.
   *
   * @return the transaction that it aborts, if one was open
   */
  Optional<AbortedTransaction> addMarker(RecordBatch batch) {
    try {
      marker.open(batch, UnpackLimits.DEFAULT);
      if (!marker.next()) {
        return Optional.empty();
      }
      ControlType outcome = ControlType.ofKey(marker.key());
      Optional<EndedTransaction> ended =
          states.endTransaction(batch, EndTransaction.ofValue(marker.value()).coordinatorEpoch());
      return ended.filter(end -> outcome == ControlType.ABORT).map(ReplayedProducers::aborted);
    } catch (InvalidBatchException toldByADeepCheck) {
      return Optional.empty();
    }
  }

  private static AbortedTransaction aborted(EndedTransaction ended) {
    return new AbortedTransaction(
        ended.producerId(), ended.firstOffset(), ended.markerOffset(), ended.lastStableOffset());
  }

  @Override
  public void close() {
    codecs.close();
  }
}
