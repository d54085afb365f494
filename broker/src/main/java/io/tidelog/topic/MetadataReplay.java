package io.tidelog.topic;

import io.tidelog.record.RecordBatch;
import io.tidelog.segment.CorruptLogException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Adds up the newest snapshot of the metadata and the log after it. Kafka may have written records
 * between a begin and an end record: they count once the end is there, and not at all after an
 * abort or without an end.
 */
final class MetadataReplay {
  private final MetadataCodec codec = new MetadataCodec();
  private final Set<Uuid> deleted = new HashSet<>();
  private final MetadataDelta delta = new MetadataDelta.Builder().build();
  private final List<ApiMessage> transaction = new ArrayList<>();
  private final List<ApiMessageAndVersion> bootstrap = new ArrayList<>();
  private boolean inTransaction;
  private Optional<SnapshotName> snapshot = Optional.empty();
  private Quorum quorum = Quorum.UNKNOWN;
  private MetadataProvenance provenance = MetadataProvenance.EMPTY;
  private Optional<CorruptLogException> damage = Optional.empty();
  private long end;
  private long bytesAfterSnapshot;

  /** The next batch of a snapshot. */
  void addOf(SnapshotName name, RecordBatch batch) {
    snapshot = Optional.of(name);
    end = name.endOffset();
    addControls(batch);
    List<ApiMessageAndVersion> records = codec.decode(batch);
    if (name.equals(SnapshotName.BOOTSTRAP)) {
      records.forEach(record -> check(record.message()));
      bootstrap.addAll(records);
    } else {
      records.forEach(record -> count(record.message()));
      provenance =
          new MetadataProvenance(name.endOffset() - 1, name.epoch(), batch.maxTimestamp(), true);
    }
  }

  /** The next batch of the log. */
  void add(RecordBatch batch) {
    addControls(batch);
    for (ApiMessageAndVersion record : codec.decode(batch)) {
      add(record.message());
    }
    end = batch.nextOffset();
    bytesAfterSnapshot += batch.sizeBytes();
    provenance =
        new MetadataProvenance(batch.lastOffset(), batch.leaderEpoch(), batch.maxTimestamp(), true);
  }

  /** What follows the last batch is not sound. */
  void endsWith(CorruptLogException found) {
    damage = Optional.of(found);
  }

  private void addControls(RecordBatch batch) {
    for (Quorum.Control record : codec.decodeControl(batch)) {
      quorum = quorum.after(record);
    }
  }

  private void add(ApiMessage record) {
    switch (MetadataRecordType.fromId(record.apiKey())) {
      case BEGIN_TRANSACTION_RECORD -> {
        transaction.clear();
        inTransaction = true;
      }
      case ABORT_TRANSACTION_RECORD -> {
        transaction.clear();
        inTransaction = false;
      }
      case END_TRANSACTION_RECORD -> {
        transaction.forEach(this::count);
        transaction.clear();
        inTransaction = false;
      }
      default -> {
        if (inTransaction) {
          transaction.add(record);
        } else {
          count(record);
        }
      }
    }
  }

  private void count(ApiMessage record) {
    check(record);
    delta.replay(record);
    if (record instanceof RemoveTopicRecord removal) {
      deleted.add(removal.topicId());
    }
  }

  private static void check(ApiMessage record) {
    if (record instanceof FeatureLevelRecord level) {
      Features.check(level);
    }
  }

  MetadataImage image() {
    return delta.apply(provenance);
  }

  /** The snapshot that the rest comes after, if there is one. */
  Optional<SnapshotName> snapshot() {
    return snapshot;
  }

  /** What a log that is still empty is to begin with, by the wish of who formatted it. */
  List<ApiMessageAndVersion> bootstrap() {
    return bootstrap;
  }

  Quorum quorum() {
    return quorum;
  }

  /** The offset after the last record. */
  long end() {
    return end;
  }

  /** Bytes of the batches that the snapshot does not hold. */
  long bytesAfterSnapshot() {
    return bytesAfterSnapshot;
  }

  /** What stands after the last sound batch of the log, if anything does. */
  Optional<CorruptLogException> damage() {
    return damage;
  }

  /** Whether the last begin record has no end yet. */
  boolean isInTransaction() {
    return inTransaction;
  }

  /** The ids of topics that were deleted after the snapshot. */
  Set<Uuid> deleted() {
    return deleted;
  }
}
