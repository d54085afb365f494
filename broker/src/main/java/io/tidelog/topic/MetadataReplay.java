package io.tidelog.topic;

import io.tidelog.record.RecordBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Adds up the metadata log from its start. Kafka may have written records between a begin and an
 * end record: they count once the end is there, and not at all after an abort or without an end.
 */
final class MetadataReplay {
  private final Set<Uuid> deleted = new HashSet<>();
  private final MetadataDelta delta = new MetadataDelta.Builder().build();
  private final List<ApiMessage> transaction = new ArrayList<>();
  private boolean inTransaction;
  private MetadataProvenance provenance = MetadataProvenance.EMPTY;

  /** The next batch and its records. */
  void add(RecordBatch batch, List<ApiMessageAndVersion> records) {
    for (ApiMessageAndVersion record : records) {
      add(record.message());
    }
    provenance =
        new MetadataProvenance(batch.lastOffset(), batch.leaderEpoch(), batch.maxTimestamp(), true);
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
    delta.replay(record);
    if (record instanceof RemoveTopicRecord removal) {
      deleted.add(removal.topicId());
    }
  }

  MetadataImage image() {
    return delta.apply(provenance);
  }

  /** Whether the last begin record has no end yet. */
  boolean isInTransaction() {
    return inTransaction;
  }

  /** The ids of topics that were deleted at some time. */
  Set<Uuid> deleted() {
    return deleted;
  }
}
