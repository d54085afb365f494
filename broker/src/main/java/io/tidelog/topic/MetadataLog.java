package io.tidelog.topic;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.LogStore;
import io.tidelog.store.Surroundings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.metadata.AbortTransactionRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * The log of all metadata changes: partition 0 of {@code __cluster_metadata}, in the data directory
 * like any other, with batches as KRaft writes them. One change is one batch, so that a crash
 * leaves all or nothing of it. Retention never touches it: a snapshot now and then stands for all
 * that came before it.
 *
 * <p>Used by one thread.
 */
final class MetadataLog {
  static final TopicPartition PARTITION = new TopicPartition("__cluster_metadata", 0);

  /** The id that Kafka reserves for this topic. */
  static final TopicId TOPIC_ID = new TopicId(0, 1);

  private static final int FIRST_EPOCH = 1;

  private final PartitionLog log;
  private final Surroundings around;
  private final MetadataReplay replay;
  private final MetadataCodec codec = new MetadataCodec();
  private final Snapshots snapshots;
  private final int epoch;

  private MetadataLog(
      PartitionLog log, Surroundings around, MetadataReplay replay, ServerSettings settings) {
    this.log = log;
    this.around = around;
    this.replay = replay;
    this.snapshots =
        new Snapshots(new MetadataFolder(around.disk(), log.directory()), around, settings, replay);
    int snapshotEpoch = replay.snapshot().map(SnapshotName::epoch).orElse(0);
    this.epoch = Math.max(FIRST_EPOCH, Math.max(snapshotEpoch, log.latestEpoch()));
  }

  /**
   * The log in this store; created empty if the store has none.
   *
   * @throws IOException if what it holds cannot be read or understood
   */
  static MetadataLog open(LogStore store, Surroundings around, ServerSettings settings)
      throws IOException {
    Optional<PartitionLog> found = store.find(PARTITION);
    PartitionLog log =
        found.isPresent() ? found.get() : store.create(PARTITION, TOPIC_ID, settings.metadataLog());
    requireOpen(log);
    log.apply(settings.metadataLog());
    MetadataReplay replay = new MetadataFolder(around.disk(), log.directory()).read();
    if (replay.end() != log.view().end()) {
      throw new IOException(
          "%s ends at offset %d, but its sound batches end at offset %d%s. Restore the folder."
              .formatted(
                  log.directory(),
                  log.view().end(),
                  replay.end(),
                  replay.damage().map(found1 -> ": " + found1.getMessage()).orElse("")));
    }
    MetadataLog opened = new MetadataLog(log, around, replay, settings);
    opened.snapshots.removeUnfinished();
    if (replay.isInTransaction()) {
      opened.append(List.of(abort()));
      opened.flush();
    }
    return opened;
  }

  /**
   * The store goes on without a log that it cannot open; there is nothing to serve without this.
   */
  private static void requireOpen(PartitionLog log) throws IOException {
    if (log.isClosed()) {
      try {
        log.flush();
      } catch (LogClosedException why) {
        throw new RefusedDirectoryException(why.getMessage(), why);
      }
    }
  }

  /** Ends what somebody began and did not end, so that the records after it count. */
  private static ApiMessageAndVersion abort() {
    AbortTransactionRecord record =
        new AbortTransactionRecord().setReason("It was not ended before the last stop");
    return new ApiMessageAndVersion(record, (short) 0);
  }

  /** What the log added up to when it was opened. */
  MetadataReplay replay() {
    return replay;
  }

  /** Appends the records of one change. They are durable only after {@link #flush}. */
  MetadataProvenance append(List<ApiMessageAndVersion> records) throws IOException {
    long now = around.clock().millis();
    RecordBatch batch = codec.encode(records, now);
    snapshots.appended(batch.sizeBytes());
    Appended appended = log.append(batch.buffer(), epoch, AppendSource.COORDINATOR);
    return new MetadataProvenance(appended.lastOffset(), epoch, now, true);
  }

  void flush() throws IOException {
    log.flush();
  }

  /**
   * Writes a snapshot if one is due, and drops what it stands for.
   *
   * @param image what all records of the log add up to; they are durable and in effect
   * @throws IOException if it cannot be written; the log is as it was
   */
  void snapshotIfDue(MetadataImage image) throws IOException {
    snapshots.takeIfDue(log, image);
  }
}
