package io.tidelog.coordinator;

import io.tidelog.log.AppendSource;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.LogListener;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.topic.Partition;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a coordinator writes goes to the logs of its topic through this.
 *
 * <p>The coordinator foretells the end offset of each append and reloads the partition if it was
 * wrong. That holds because it is the only writer: clients may not produce to this topic.
 */
final class StateWriter implements PartitionWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StateWriter.class);

  private final LedPartitions led;
  private final TransactionAdmission admission;
  private final Set<TopicPartition> unwritable = ConcurrentHashMap.newKeySet();

  /** By the limit that is all the coordinator asks of them. */
  private final Map<Integer, LogConfig> configs = new ConcurrentHashMap<>();

  private final Map<Listener, HighWatermarkWatch> watches = new ConcurrentHashMap<>();

  /** As long as somebody has Kafka's guard, for which it stands. */
  private final Map<VerificationGuard, TransactionGuard> guards =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * @param admission asked before a transaction's first batch is written
   */
  StateWriter(LedPartitions led, TransactionAdmission admission) {
    this.led = led;
    this.admission = admission;
  }

  /** Asked by the coordinator once it has loaded the partition and serves it. */
  @Override
  public void registerListener(TopicPartition partition, Listener listener) {
    PartitionLog log = led.require(partition).log();
    HighWatermarkWatch watch = new HighWatermarkWatch(partition, log, listener);
    watches.put(listener, watch);
    log.addListener(watch);
    watch.moved(log);
    led.find(partition).ifPresent(loaded -> loaded.settled().complete(null));
  }

  @Override
  public void deregisterListener(TopicPartition partition, Listener listener) {
    HighWatermarkWatch watch = watches.remove(listener);
    if (watch != null) {
      watch.log.removeListener(watch);
    }
  }

  @Override
  public LogConfig config(TopicPartition partition) {
    return configs.computeIfAbsent(
        led.require(partition).log().settings().maxMessageBytes(),
        maxBatchBytes -> new LogConfig(Map.of("max.message.bytes", maxBatchBytes)));
  }

  /**
   * Appends one batch and returns the offset after it.
   *
   * @throws RecordTooLargeException the batch is larger than the topic allows
   * @throws NotLeaderOrFollowerException this broker does not lead the partition, or cannot write
   *     to it now: clients try again. The coordinator would log any other exception with its stack
   *     trace, for every request that finds the disk full.
   */
  @Override
  public long append(
      TopicPartition partition,
      VerificationGuard guard,
      MemoryRecords records,
      short transactionVersion) {
    Partition target = led.require(partition);
    int limitBytes = target.log().settings().maxMessageBytes();
    if (records.sizeInBytes() > limitBytes) {
      throw new RecordTooLargeException(
          "%s takes batches of up to %d bytes, this one has %d; raise max.message.bytes of the topic"
              .formatted(partition, limitBytes, records.sizeInBytes()));
    }
    try {
      long end = append(target, records, guard, transactionVersion);
      unwritable.remove(partition);
      return end;
    } catch (InvalidBatchException e) {
      if (e.reason() == InvalidBatchException.Reason.TOO_LARGE) {
        throw new RecordTooLargeException(partition + ": " + e.getMessage(), e);
      }
      throw e;
    } catch (ProducerStateException refused) {
      throw TransactionErrors.of(refused);
    } catch (LogClosedException e) {
      throw new NotLeaderOrFollowerException(e.getMessage(), e);
    } catch (IOException e) {
      if (unwritable.add(partition)) {
        LOG.error("{} takes no records of its coordinator: {}", partition, e.getMessage());
      }
      throw new NotLeaderOrFollowerException(e.getMessage(), e);
    }
  }

  private long append(
      Partition target, MemoryRecords records, VerificationGuard guard, short transactionVersion)
      throws IOException {
    PartitionLog log = target.log();
    if (records.firstBatch().isControlBatch()) {
      EndTransactionMarker marker = markerIn(records.firstBatch(), transactionVersion);
      return log.appendMarker(marker, target.leaderEpoch()).lastOffset() + 1;
    }
    TransactionGuard verified = guards.getOrDefault(guard, TransactionGuard.NONE);
    return log.append(records.buffer(), target.leaderEpoch(), AppendSource.COORDINATOR, verified)
            .lastOffset()
        + 1;
  }

  private static EndTransactionMarker markerIn(RecordBatch batch, short transactionVersion) {
    org.apache.kafka.common.record.internal.EndTransactionMarker said =
        org.apache.kafka.common.record.internal.EndTransactionMarker.deserialize(
            batch.iterator().next());
    return new EndTransactionMarker(
        batch.producerId(),
        batch.producerEpoch(),
        said.coordinatorEpoch(),
        said.controlType() == ControlRecordType.COMMIT ? Outcome.COMMIT : Outcome.ABORT,
        TransactionProtocol.ofLevel(transactionVersion));
  }

  @Override
  public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
      TopicPartition partition,
      String transactionalId,
      long producerId,
      short producerEpoch,
      int apiVersion) {
    JoinRule rule = JoinRule.ofOffsetCommit(apiVersion);
    FirstBatch first =
        new FirstBatch(
            producerId, producerEpoch, io.tidelog.record.RecordBatch.NO_SEQUENCE, rule.protocol());
    try {
      Optional<TransactionGuard> guard = led.require(partition).log().guardTransaction(first);
      if (guard.isEmpty()) {
        return CompletableFuture.completedFuture(VerificationGuard.SENTINEL);
      }
      return admission
          .admit(
              new ProducerClaim(transactionalId, producerId, producerEpoch),
              Set.of(partition),
              rule)
          .thenApply(refused -> guardOf(refused.get(partition), guard.get()));
    } catch (ProducerStateException refused) {
      return CompletableFuture.failedFuture(TransactionErrors.of(refused));
    }
  }

  private VerificationGuard guardOf(Errors refused, TransactionGuard guard) {
    if (refused != null) {
      throw refused.exception();
    }
    VerificationGuard kafkas = new VerificationGuard();
    guards.put(kafkas, guard);
    return kafkas;
  }

  @Override
  public CompletableFuture<Void> deleteRecords(TopicPartition partition, long beforeOffset) {
    try {
      led.require(partition).log().advanceStart(beforeOffset);
      return CompletableFuture.completedFuture(null);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(new KafkaStorageException(e.getMessage(), e));
    }
  }

  /** Tells a coordinator of a higher high watermark: in order, each once, although threads race. */
  private static final class HighWatermarkWatch implements LogListener {
    private final TopicPartition partition;
    private final PartitionLog log;
    private final Listener listener;
    private long told = 0;

    HighWatermarkWatch(TopicPartition partition, PartitionLog log, Listener listener) {
      this.partition = partition;
      this.log = log;
      this.listener = listener;
    }

    @Override
    public synchronized void moved(PartitionLog moved) {
      long highWatermark = moved.view().highWatermark();
      if (highWatermark > told) {
        told = highWatermark;
        listener.onHighWatermarkUpdated(partition, highWatermark);
      }
    }
  }
}
