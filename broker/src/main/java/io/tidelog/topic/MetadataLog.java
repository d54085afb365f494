package io.tidelog.topic;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.LogStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.metadata.AbortTransactionRecord;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * The log of all metadata changes: partition 0 of {@code __cluster_metadata}, in the data directory
 * like any other, with batches as KRaft writes them. One change is one batch, so that a crash
 * leaves all or nothing of it. Retention never touches it.
 *
 * <p>Used by one thread.
 */
final class MetadataLog {
  static final TopicPartition PARTITION = new TopicPartition("__cluster_metadata", 0);

  /** The id that Kafka reserves for this topic. */
  static final TopicId TOPIC_ID = new TopicId(0, 1);

  static final LogSettings SETTINGS =
      LogSettings.of(Map.of("retention.ms", "-1", "retention.bytes", "-1"));

  private static final int FIRST_EPOCH = 1;
  private static final int READ_BYTES = 1 << 20;

  private final PartitionLog log;
  private final InstantSource clock;
  private final MetadataCodec codec = new MetadataCodec();
  private final int epoch;

  private MetadataLog(PartitionLog log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
    this.epoch = Math.max(FIRST_EPOCH, log.latestEpoch());
  }

  /** The log in this store; created empty if the store has none. */
  static MetadataLog open(LogStore store, InstantSource clock) throws IOException {
    Optional<PartitionLog> found = store.find(PARTITION);
    PartitionLog log =
        found.isPresent() ? found.get() : store.create(PARTITION, TOPIC_ID, SETTINGS);
    log.apply(SETTINGS);
    return new MetadataLog(log, clock);
  }

  /**
   * Adds up all records.
   *
   * @throws IOException if a batch cannot be understood, naming its offset
   */
  MetadataReplay replay() throws IOException {
    MetadataReplay replay = new MetadataReplay();
    long offset = log.view().start();
    long end = log.view().end();
    while (offset < end) {
      offset = replayFrom(offset, replay);
    }
    if (replay.isInTransaction()) {
      append(List.of(abort()));
      flush();
    }
    return replay;
  }

  /** Ends what somebody began and did not end, so that the records after it count. */
  private static ApiMessageAndVersion abort() {
    AbortTransactionRecord record =
        new AbortTransactionRecord().setReason("It was not ended before the last stop");
    return new ApiMessageAndVersion(record, (short) 0);
  }

  private long replayFrom(long offset, MetadataReplay replay) throws IOException {
    ByteBuffer batches = read(offset);
    long next = offset;
    while (batches.hasRemaining()) {
      RecordBatch batch = RecordBatch.at(batches, batches.position());
      try {
        replay.add(batch, codec.decode(batch));
      } catch (RuntimeException e) {
        throw new IOException(
            "%s: the batch at offset %d is not metadata that this version understands: %s. Start the version that wrote it, or restore the folder."
                .formatted(log.directory(), batch.baseOffset(), e.getMessage()),
            e);
      }
      next = batch.nextOffset();
      batches.position(batches.position() + batch.sizeBytes());
    }
    return next;
  }

  private ByteBuffer read(long offset) throws IOException {
    LogSlice slice = log.read(offset, READ_BYTES, ReadUpTo.LOG_END);
    try {
      ByteBuffer buffer = ByteBuffer.allocate(slice.sizeBytes());
      slice.read(buffer, 0);
      return buffer.flip();
    } finally {
      slice.release();
    }
  }

  /** Appends the records of one change. They are durable only after {@link #flush}. */
  MetadataProvenance append(List<ApiMessageAndVersion> records) throws IOException {
    long now = clock.millis();
    Appended appended =
        log.append(codec.encode(records, now).buffer(), epoch, AppendSource.COORDINATOR);
    return new MetadataProvenance(appended.lastOffset(), epoch, now, true);
  }

  void flush() throws IOException {
    log.flush();
  }
}
