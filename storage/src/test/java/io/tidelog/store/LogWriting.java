package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Everybody who writes to a log and its model: plain, idempotent and transactional producers. */
final class LogWriting {
  private static final long TRANSACTIONAL_FROM = 10;
  private static final long TRANSACTIONAL_TO = 13;

  private final LogAndModel both;
  private final ModelLog model;
  private final Writers writers = new Writers();
  private int epoch;

  LogWriting(LogAndModel both, ModelLog model) {
    this.both = both;
    this.model = model;
  }

  void append(ByteBuffer batch) throws IOException {
    Appended appended = both.log().append(batch, epoch, AppendSource.CLIENT);
    assertThat(appended.duplicate()).isFalse();
    assertThat(appended.baseOffset()).isEqualTo(model.end());
    model.append(batch, epoch);
  }

  void appendNext(long producer, int records) throws IOException {
    if (!model.mayRememberEarlier(producer)) {
      append(batchOf(producer, nextSequence(producer), records));
    }
  }

  private int nextSequence(long producer) {
    return model
        .lastOf(producer)
        .map(last -> last.firstSequence() + last.entries().size())
        .orElse(0);
  }

  private static ByteBuffer batchOf(long producer, int sequence, int records) {
    return Keyed.batch(
        Produced.by(
            new Produced.Producer(producer, (short) 0), sequence, SimClock.START_MS + 50, records));
  }

  void resendLast(long producer) throws IOException {
    Optional<ModelLog.Batch> last = model.rememberedOf(producer);
    if (last.isPresent()) {
      int records = last.get().entries().size();
      ByteBuffer again = batchOf(producer, last.get().firstSequence(), records);
      Appended appended = both.log().append(again, epoch, AppendSource.CLIENT);
      assertThat(appended.duplicate()).isTrue();
      assertThat(appended.baseOffset()).isEqualTo(last.get().baseOffset());
      assertThat(appended.lastOffset()).isEqualTo(last.get().endOffset() - 1);
    }
  }

  void skipASequence(long producer) {
    if (model.rememberedOf(producer).isPresent()) {
      ByteBuffer early = batchOf(producer, nextSequence(producer) + 1, 2);
      assertThatThrownBy(() -> both.log().append(early, epoch, AppendSource.CLIENT))
          .isInstanceOf(ProducerStateException.class);
    }
  }

  void transact(long producer, int records) throws IOException {
    Writers.Sent plain = writers.transactional(producer, records, SimClock.START_MS + 60);
    Writers.Sent sent = new Writers.Sent(Keyed.batch(plain.bytes()), plain.values(), plain.first());
    Appended appended = sent.to(both.log(), epoch);
    assertThat(appended.baseOffset()).isEqualTo(model.end());
    ByteBuffer numbered = sent.copy();
    io.tidelog.record.RecordBatch.at(numbered, 0).stampBaseOffset(model.end());
    model.append(numbered, epoch);
  }

  void end(long producer, Outcome outcome, TransactionProtocol protocol) throws IOException {
    both.log().appendMarker(writers.end(producer, outcome, protocol), epoch);
    model.end(producer, outcome, epoch);
  }

  void raiseEpoch() {
    epoch++;
  }

  /** What was written last may be gone: transactional producers begin again, as clients do. */
  void startTransactionalProducersAgain() {
    for (long producer = TRANSACTIONAL_FROM; producer < TRANSACTIONAL_TO; producer++) {
      writers.newEpoch(producer);
    }
  }
}
