package io.tidelog.topic;

import io.tidelog.record.ControlType;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Metadata records as they lie in a batch. A record has no key and no headers and the batch's
 * timestamp; its value is:
 *
 * <pre>
 *   size     field         meaning
 *   uvarint  frameVersion  1
 *   uvarint  type          the record's API key: 2 a topic, 3 a partition, 4 a config, …
 *   uvarint  version       of the message that follows
 *   …        message       in Kafka's message format
 * </pre>
 *
 * <p>Used by one thread.
 */
final class MetadataCodec {
  private static final MetadataRecordSerde SERDE = MetadataRecordSerde.INSTANCE;

  private final RecordBatchWriter writer = new RecordBatchWriter(KafkaCodecs.create());
  private final RecordCursor cursor = new RecordCursor(KafkaCodecs.create());

  /** One batch of these records. It lies in a buffer that ends with the next call. */
  RecordBatch encode(List<ApiMessageAndVersion> records, long timestampMs) {
    var batch = writer.begin();
    for (ApiMessageAndVersion entry : records) {
      ObjectSerializationCache sizes = new ObjectSerializationCache();
      ByteBuffer value = ByteBuffer.allocate(SERDE.recordSize(entry, sizes));
      SERDE.write(entry, sizes, new ByteBufferAccessor(value));
      batch.append(timestampMs, null, value.flip());
    }
    return batch.finish();
  }

  /** As {@link #encode}, of control records. */
  RecordBatch encodeControl(List<Quorum.Control> records, long timestampMs) {
    var batch = writer.begin().control();
    for (Quorum.Control record : records) {
      batch.appendControl(timestampMs, record.type(), record.value());
    }
    return batch.finish();
  }

  /**
   * The records of a batch; none of a control batch.
   *
   * @throws org.apache.kafka.server.common.serialization.MetadataParseException if a value is not
   *     in the format above
   */
  List<ApiMessageAndVersion> decode(RecordBatch batch) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    if (batch.isControl()) {
      return records;
    }
    cursor.open(batch, UnpackLimits.DEFAULT);
    while (cursor.next()) {
      ByteBuffer value = cursor.value();
      records.add(SERDE.read(new ByteBufferAccessor(value), value.remaining()));
    }
    return records;
  }

  /** The records of a control batch; none of another. */
  List<Quorum.Control> decodeControl(RecordBatch batch) {
    List<Quorum.Control> records = new ArrayList<>();
    if (!batch.isControl()) {
      return records;
    }
    cursor.open(batch, UnpackLimits.DEFAULT);
    while (cursor.next()) {
      records.add(new Quorum.Control(ControlType.ofKey(cursor.key()), cursor.value()));
    }
    return records;
  }
}
