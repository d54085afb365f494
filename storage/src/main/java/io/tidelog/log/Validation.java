package io.tidelog.log;

import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.record.BatchValidator;
import io.tidelog.record.Codecs;
import io.tidelog.record.Origin;
import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;

/**
 * A borrowed validator, and a reader of times on the same codecs. The batch that it answers may lie
 * in its buffer, so it goes back only after the batch was written.
 */
final class Validation implements AutoCloseable {
  private final Validations home;
  private final Codecs codecs;
  private final BatchValidator validator;
  private final BatchTimes times;

  Validation(Validations home, Codecs codecs, BatchValidator validator) {
    this.home = home;
    this.codecs = codecs;
    this.validator = validator;
    this.times = new BatchTimes(codecs);
  }

  RecordBatch validate(ByteBuffer produced, AppendSource source, LogSettings settings, long nowMs) {
    return switch (source) {
      case CLIENT ->
          validator.validate(produced, Origin.CLIENT, settings.clientRules(), nowMs).batch();
      case COORDINATOR ->
          validator.validate(produced, Origin.BROKER, settings.coordinatorRules(), nowMs).batch();
    };
  }

  /** The batch of a marker, with the time that a topic's records have. */
  RecordBatch batchOf(EndTransactionMarker marker, LogSettings settings, long nowMs) {
    RecordBatch batch = marker.batch(nowMs, codecs);
    batch.stampTimestamps(settings.clientRules().timestamps().type(), nowMs);
    return batch;
  }

  /** Reads the times of batches. */
  BatchTimes times() {
    return times;
  }

  void free() {
    codecs.close();
  }

  @Override
  public void close() {
    home.giveBack(this);
  }
}
