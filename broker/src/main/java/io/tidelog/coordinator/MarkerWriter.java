package io.tidelog.coordinator;

import io.tidelog.log.LogClosedException;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topics;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;

/**
 * Tells partitions how a transaction ended: straight into the log, but for committed offsets, which
 * are the group coordinator's to write. Any thread.
 */
final class MarkerWriter {
  private final Topics topics;
  private final BiFunction<TopicPartition, EndTransactionMarker, CompletableFuture<Void>> offsets;

  /**
   * @param offsets writes a marker to a partition of {@code __consumer_offsets}
   */
  MarkerWriter(
      Topics topics,
      BiFunction<TopicPartition, EndTransactionMarker, CompletableFuture<Void>> offsets) {
    this.topics = topics;
    this.offsets = offsets;
  }

  /**
   * Writes a marker. Done when it counts: below the high watermark. Fails with one of Kafka's API
   * exceptions: UnknownTopicOrPartitionException if there is no such partition (any more),
   * InvalidProducerEpochException or TransactionCoordinatorFencedException if the partition has
   * heard from somebody newer; any other one may be gone when it is tried again. Throws nothing:
   * bugs fail the future too.
   */
  CompletableFuture<Void> write(TopicPartition name, EndTransactionMarker marker) {
    try {
      return tell(name, marker);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Void> tell(TopicPartition name, EndTransactionMarker marker) {
    Optional<Partition> partition =
        topics.find(name.topic()).flatMap(topic -> topic.partition(name.partition()));
    if (partition.isEmpty()) {
      return CompletableFuture.failedFuture(
          new UnknownTopicOrPartitionException("there is no partition " + name));
    }
    return name.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)
        ? offsets.apply(name, marker)
        : append(partition.get(), marker);
  }

  private static CompletableFuture<Void> append(Partition partition, EndTransactionMarker marker) {
    PartitionLog log = partition.log();
    try {
      return BelowHighWatermark.of(
          log, log.appendMarker(marker, partition.leaderEpoch()).lastOffset());
    } catch (ProducerStateException refused) {
      return CompletableFuture.failedFuture(TransactionErrors.of(refused));
    } catch (IOException | LogClosedException e) {
      return CompletableFuture.failedFuture(new KafkaStorageException(e.getMessage(), e));
    }
  }
}
