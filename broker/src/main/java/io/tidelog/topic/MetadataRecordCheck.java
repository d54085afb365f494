package io.tidelog.topic;

import io.tidelog.verify.RecordCheck;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.metadata.MetadataRecordSerde;

/** Whether a record of the metadata log can be read: its frame, its type, its message. */
public final class MetadataRecordCheck implements RecordCheck {

  /** The check, if the topic is that of the metadata log. */
  public static Optional<RecordCheck> of(String topic) {
    return topic.equals(MetadataLog.PARTITION.topic())
        ? Optional.of(new MetadataRecordCheck())
        : Optional.empty();
  }

  @Override
  public Optional<String> problem(ByteBuffer key, ByteBuffer value) {
    if (value == null) {
      return Optional.of("it has no value");
    }
    try {
      MetadataRecordSerde.INSTANCE.read(new ByteBufferAccessor(value), value.remaining());
      return Optional.empty();
    } catch (RuntimeException malformed) {
      return Optional.of("its value is no metadata record: " + malformed.getMessage());
    }
  }
}
