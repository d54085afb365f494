package io.tidelog.producer;

import io.tidelog.producer.Batches.Sent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.BatchMetadata;
import org.apache.kafka.storage.internals.log.CompletedTxn;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.ProducerAppendInfo;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.internals.log.VerificationStateEntry;

/** Producers in the hands of Apache Kafka's own code, asked as its UnifiedLog asks it. */
final class KafkaProducers {
  final ProducerStateManager states;
  private VerificationGuard guard = new VerificationGuard();
  private long lastStable;

  KafkaProducers(Path folder, int expirationMs) throws IOException {
    this.states =
        new ProducerStateManager(
            new TopicPartition("kafka", 0),
            folder.toFile(),
            60_000,
            new ProducerStateManagerConfig(expirationMs, false),
            Time.SYSTEM);
  }

  /** What the transaction index would say of the transaction that was ended last. */
  long lastStable() {
    return lastStable;
  }

  /** Takes a guard as UnifiedLog gives it out; a verdict. */
  String guard(Sent sent, TransactionProtocol protocol) {
    ProducerStateEntry entry = states.lastEntry(sent.producerId()).orElse(null);
    if (entry != null && sent.epoch() < entry.producerEpoch()) {
      return "INVALID_PRODUCER_EPOCH";
    }
    if (isOngoing(entry, sent.epoch())) {
      return "open";
    }
    boolean supportsEpochBump = protocol == TransactionProtocol.V2;
    VerificationStateEntry verification =
        states.maybeCreateVerificationStateEntry(
            sent.producerId(), sent.sequence(), sent.epoch(), supportsEpochBump);
    guard = verification.verificationGuard();
    return "guarded";
  }

  private boolean isOngoing(ProducerStateEntry entry, short epoch) {
    return entry != null
        && entry.currentTxnFirstOffset().isPresent()
        && entry.producerEpoch() == epoch;
  }

  /** Takes in a marker; a verdict. */
  String appendMarker(MemoryRecords records, TransactionProtocol protocol) {
    return verdict(
        () -> takeIn(records.batches().iterator().next(), AppendOrigin.COORDINATOR, protocol));
  }

  /** Takes in a client's batch as UnifiedLog does; a verdict. */
  String append(MemoryRecords records, boolean isGuarded) {
    RecordBatch batch = records.batches().iterator().next();
    Optional<BatchMetadata> duplicate =
        states.lastEntry(batch.producerId()).flatMap(entry -> duplicateIn(entry, batch));
    if (duplicate.isPresent()) {
      BatchMetadata written = duplicate.get();
      return "at "
          + written.firstOffset()
          + " to "
          + written.lastOffset()
          + " time "
          + written.timestamp();
    }
    return verdict(
        () -> {
          if (batch.isTransactional()) {
            requireVerified(batch, isGuarded ? guard : VerificationGuard.SENTINEL);
          }
          takeIn(batch, AppendOrigin.CLIENT, TransactionProtocol.V1);
        });
  }

  private String verdict(Runnable append) {
    try {
      append.run();
      return "written";
    } catch (OutOfOrderSequenceException e) {
      return "OUT_OF_ORDER_SEQUENCE";
    } catch (InvalidProducerEpochException e) {
      return "INVALID_PRODUCER_EPOCH";
    } catch (InvalidTxnStateException e) {
      return "INVALID_TXN_STATE";
    } catch (TransactionCoordinatorFencedException e) {
      return "TRANSACTION_COORDINATOR_FENCED";
    }
  }

  /** As UnifiedLog does it. */
  private void requireVerified(RecordBatch batch, VerificationGuard with) {
    ProducerStateEntry entry = states.lastEntry(batch.producerId()).orElse(null);
    if (isOngoing(entry, batch.producerEpoch())) {
      return;
    }
    if (entry != null && batch.producerEpoch() < entry.producerEpoch()) {
      throw new InvalidProducerEpochException("old");
    }
    VerificationStateEntry verification = states.verificationStateEntry(batch.producerId());
    if (verification == null || !verification.verificationGuard().verify(with)) {
      throw new InvalidTxnStateException("not verified");
    }
  }

  private Optional<BatchMetadata> duplicateIn(ProducerStateEntry entry, RecordBatch batch) {
    return entry.producerEpoch() != batch.producerEpoch()
        ? Optional.empty()
        : entry.batchMetadata().stream()
            .filter(
                known ->
                    known.firstSeq() == batch.baseSequence()
                        && known.lastSeq() == batch.lastSequence())
            .findFirst();
  }

  void takeIn(RecordBatch batch, AppendOrigin origin, TransactionProtocol protocol) {
    Map<Long, ProducerAppendInfo> updates = new HashMap<>();
    Optional<CompletedTxn> completed =
        UnifiedLog.updateProducers(
            states,
            batch,
            updates,
            Optional.of(new LogOffsetMetadata(batch.baseOffset())),
            origin,
            (short) (protocol == TransactionProtocol.V2 ? 2 : 1));
    updates.values().forEach(states::update);
    completed.ifPresent(
        transaction -> {
          lastStable = states.lastStableOffset(transaction);
          states.completeTxn(transaction);
        });
  }
}
