package io.tidelog.coordinator;

import io.tidelog.verify.RecordCheck;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.apache.kafka.coordinator.common.runtime.Deserializer.UnknownRecordTypeException;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * Whether a record of {@code __consumer_offsets} or {@code __transaction_state} can be read, key
 * and value to their last bytes.
 */
public final class StateRecordCheck implements RecordCheck {
  private final Deserializer<?> format;

  private StateRecordCheck(Deserializer<?> format) {
    this.format = format;
  }

  /** The check, if a coordinator keeps its state in the topic. */
  public static Optional<RecordCheck> of(String topic) {
    return switch (topic) {
      case Topic.GROUP_METADATA_TOPIC_NAME ->
          Optional.of(new StateRecordCheck(new GroupCoordinatorRecordSerde()));
      case Topic.TRANSACTION_STATE_TOPIC_NAME ->
          Optional.of(
              new StateRecordCheck(new TransactionRecordFormat(() -> TransactionVersion.TV_0)));
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<String> problem(ByteBuffer key, ByteBuffer value) {
    if (key == null) {
      return Optional.of("it has no key");
    }
    try {
      format.deserialize(key, value);
    } catch (UnknownRecordTypeException unknown) {
      return Optional.of("its type or version %d is not known".formatted(unknown.unknownType()));
    } catch (RuntimeException malformed) {
      return Optional.of("it cannot be decoded: " + malformed.getMessage());
    }
    return key.hasRemaining() || (value != null && value.hasRemaining())
        ? Optional.of("bytes follow its last field")
        : Optional.empty();
  }
}
