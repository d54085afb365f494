package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.verify.RecordCheck;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordHelpers;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.OffsetAndMetadata;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.junit.jupiter.api.Test;

/** What the coordinators could not read back is told; what they wrote is not. */
class StateRecordCheckTest {
  private final RecordCheck offsets = StateRecordCheck.of("__consumer_offsets").orElseThrow();
  private final RecordCheck transactions = StateRecordCheck.of("__transaction_state").orElseThrow();
  private final byte[] key;
  private final byte[] value;

  StateRecordCheckTest() {
    CoordinatorRecord commit =
        GroupCoordinatorRecordHelpers.newOffsetCommitRecord(
            "group",
            "topic",
            0,
            new OffsetAndMetadata(
                100, OptionalInt.of(1), "", 5, OptionalLong.empty(), Uuid.ZERO_UUID));
    GroupCoordinatorRecordSerde serde = new GroupCoordinatorRecordSerde();
    key = serde.serializeKey(commit);
    value = serde.serializeValue(commit);
  }

  private static Optional<String> problem(RecordCheck check, byte[] key, byte[] value) {
    return check.problem(
        key == null ? null : ByteBuffer.wrap(key), value == null ? null : ByteBuffer.wrap(value));
  }

  @Test
  void other_topics_hold_anything() {
    assertThat(StateRecordCheck.of("orders")).isEmpty();
  }

  @Test
  void what_is_whole_has_no_problem() {
    assertThat(problem(offsets, key, value)).isEmpty();
    assertThat(problem(offsets, key, null)).isEmpty();
    assertThat(problem(transactions, TransactionLog.keyToBytes("teller"), null)).isEmpty();
  }

  @Test
  void every_cut_is_told() {
    for (int length = 0; length < key.length; length++) {
      assertThat(problem(offsets, Arrays.copyOf(key, length), value)).as("key").isPresent();
    }
    for (int length = 0; length < value.length; length++) {
      assertThat(problem(offsets, key, Arrays.copyOf(value, length))).as("value").isPresent();
    }
  }

  @Test
  void bytes_at_the_end_are_told() {
    assertThat(problem(offsets, key, Arrays.copyOf(value, value.length + 1)))
        .contains("bytes follow its last field");
  }

  @Test
  void what_is_of_another_topic_is_told() {
    assertThat(problem(offsets, null, value)).contains("it has no key");
    assertThat(problem(transactions, key, value)).isPresent();
    assertThat(problem(offsets, new byte[] {0x7f, 0x7f}, value))
        .contains("its type or version 32639 is not known");
  }
}
