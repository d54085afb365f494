package io.tidelog.coordinator;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreEvents;
import io.tidelog.store.StoreSettings;
import io.tidelog.store.Surroundings;
import io.tidelog.topic.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordHelpers;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.OffsetAndMetadata;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/** One partition of {@code __consumer_offsets} in a store, led at epoch 3, and a writer to it. */
final class OffsetsLog implements AutoCloseable {
  static final org.apache.kafka.common.TopicPartition NAME =
      new org.apache.kafka.common.TopicPartition("__consumer_offsets", 0);
  static final int LEADER_EPOCH = 3;
  static final TransactionAdmission ADMITS_ALL =
      (producer, partitions, rule) -> CompletableFuture.completedFuture(Map.of());

  final MovedTime time = new MovedTime();
  final LedPartitions led = new LedPartitions();
  final StateWriter writer = new StateWriter(led, ADMITS_ALL);
  final PartitionLog log;
  private final LogStore store;

  OffsetsLog(Path directory, Map<String, String> settings) throws IOException {
    store =
        LogStore.open(
            List.of(directory),
            StoreSettings.DEFAULTS,
            new Surroundings(
                new NioDisk(), time, new SplittableRandom(1), time, StoreEvents.SILENT));
    TopicPartition name = new TopicPartition(NAME.topic(), NAME.partition());
    Optional<PartitionLog> found = store.find(name);
    log =
        found.isPresent()
            ? found.get()
            : store.create(name, new TopicId(1, 2), LogSettings.of(settings));
    led.add(new Partition(0, LEADER_EPOCH, log));
  }

  /** What another one has left in a directory. */
  static OffsetsLog reopen(Path directory) throws IOException {
    return new OffsetsLog(directory, Map.of());
  }

  /** Appends one batch as the coordinator does. */
  long append(MemoryRecords batch) {
    return writer.append(NAME, VerificationGuard.SENTINEL, batch, (short) -1);
  }

  /** A batch of one committed offset for each partition from {@code first} on. */
  static MemoryRecords commits(int first, int count) {
    GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
    SimpleRecord[] records = new SimpleRecord[count];
    for (int i = 0; i < count; i++) {
      CoordinatorRecord commit =
          GroupCoordinatorRecordHelpers.newOffsetCommitRecord(
              "group",
              "topic",
              first + i,
              new OffsetAndMetadata(
                  100 + first + i, OptionalInt.of(1), "", 5, OptionalLong.empty(), Uuid.ZERO_UUID));
      records[i] = new SimpleRecord(5, serde.serializeKey(commit), serde.serializeValue(commit));
    }
    return MemoryRecords.withRecords(Compression.NONE, records);
  }

  void delete() throws IOException {
    store.delete(log.topicPartition());
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
