package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/**
 * Holds the validator's verdict on a produced batch against Kafka's, and what would be stored too;
 * {@link Difference} lists where we mean to differ. Counts what it has seen.
 */
final class VerdictsAgree {

  /** Where the verdict is not Kafka's, on purpose. */
  enum Difference {
    /** Kafka takes any negative length for null; other readers do not. */
    LENGTH_BELOW_NULL("length is -\\d+, expected -1 or more"),
    /**
     * Kafka does not compare a packed record's length with its fields, nor does it read packed data
     * further than the last record, and stores what not every consumer can read.
     */
    PACKED_RECORD_LENGTH(
        "length is .* more than (its fields take|the \\d+ allowed)"
            + "|length is .* (expected 6 or more|bytes (are )?left)"
            + "|data ends within a varint"
            + "|header count is .* bytes left for headers"
            + "|(gzip|snappy|lz4|zstd) data: "),
    /**
     * Kafka refuses this only if the claimed time is out of the topic's range or the topic has
     * append time.
     */
    APPEND_TIME_FROM_CLIENT("timestamp type is append time"),
    /** Kafka stores it, as part of a transaction that cannot end. */
    TRANSACTION_WITHOUT_PRODUCER("transactional but has no producer id"),
    /**
     * We rebuild as we store in place; Kafka's rebuild throws on times before 1970, to the client
     * an unknown error.
     */
    REBUILT_WITH_NEGATIVE_TIME("Invalid .*timestamp"),
    /** The same with a producer id but no producer epoch, or one below -1, which counts as none. */
    REBUILT_WITHOUT_EPOCH("Invalid negative (producer epoch|sequence number)"),
    /**
     * Kafka stores a plain batch whose records are numbered otherwise, renumbers one that it has to
     * pack anew, and refuses a packed one, to the client an unknown error.
     */
    NUMBERED_OTHERWISE("offset delta is -?\\d+, expected \\d+");

    private final String pattern;

    Difference(String pattern) {
      this.pattern = "(?s).*(" + pattern + ").*";
    }

    static Optional<Difference> inWhatWeRefuse(String message, boolean isPacked) {
      return List.of(
              LENGTH_BELOW_NULL,
              PACKED_RECORD_LENGTH,
              APPEND_TIME_FROM_CLIENT,
              TRANSACTION_WITHOUT_PRODUCER,
              NUMBERED_OTHERWISE)
          .stream()
          .filter(difference -> difference != PACKED_RECORD_LENGTH || isPacked)
          .filter(difference -> message.matches(difference.pattern))
          .findFirst();
    }

    static Optional<Difference> inWhatWeAccept(String message) {
      return List.of(REBUILT_WITH_NEGATIVE_TIME, REBUILT_WITHOUT_EPOCH).stream()
          .filter(difference -> message.matches(difference.pattern))
          .findFirst();
    }
  }

  private final Map<Difference, Integer> seen = new EnumMap<>(Difference.class);
  private int bothAccept;
  private int bothRefuse;
  private int rebuilt;

  Map<Difference, Integer> seen() {
    return seen;
  }

  int bothAccept() {
    return bothAccept;
  }

  int bothRefuse() {
    return bothRefuse;
  }

  int rebuilt() {
    return rebuilt;
  }

  /** Asks both; throws if they differ in another way than we mean to. */
  void check(BatchValidator validator, BatchRules rules, ByteBuffer produced) {
    KafkaVerdict theirs = KafkaVerdict.on(produced, rules, Samples.NOW);
    boolean isPacked =
        produced.limit() >= RecordBatch.HEADER_BYTES
            && RecordBatch.at(produced, 0).compressionCode() != Compression.NONE.code();
    try {
      ValidBatch ours = validator.validate(produced.duplicate(), Origin.CLIENT, rules, Samples.NOW);
      weAccepted(ours, theirs);
    } catch (InvalidBatchException e) {
      if (theirs.isAccepted()) {
        saw(
            Difference.inWhatWeRefuse(e.getMessage(), isPacked)
                .orElseThrow(() -> new AssertionError("only we refuse", e)));
      } else {
        bothRefuse++;
        if (Difference.inWhatWeRefuse(e.getMessage() + e.recordErrors(), isPacked).isEmpty()) {
          compareReasons(e, theirs.refusal());
        }
      }
    }
  }

  private void weAccepted(ValidBatch ours, KafkaVerdict theirs) {
    if (!theirs.isAccepted()) {
      saw(
          Difference.inWhatWeAccept(String.valueOf(theirs.refusal().getMessage()))
              .orElseThrow(() -> new AssertionError("only Kafka refuses", theirs.refusal())));
      return;
    }
    bothAccept++;
    assertThat(ours.maxTimestamp()).isEqualTo(theirs.maxTimestamp());
    boolean isInPlace = !ours.batch().buffer().isDirect();
    if (isInPlace) {
      ByteBuffer stored = Samples.copy(ours.batch());
      RecordBatch.at(stored, 0).stampLeaderEpoch(RecordBatch.NO_LEADER_EPOCH);
      assertThat(stored).isEqualTo(theirs.stored());
    } else {
      rebuilt++;
      compareRebuilt(ours, theirs);
    }
  }

  private void compareRebuilt(ValidBatch ours, KafkaVerdict theirs) {
    RecordBatch batch = ours.batch();
    RecordBatch their = RecordBatch.at(theirs.stored(), 0);
    assertThat(batch.crc()).isEqualTo(batch.computeCrc());
    assertThat(batch.recordCount()).isEqualTo(their.recordCount()).isEqualTo(ours.recordCount());
    assertThat(batch.lastOffsetDelta()).isEqualTo(their.lastOffsetDelta());
    assertThat(batch.maxTimestamp()).isEqualTo(their.maxTimestamp());
    assertThat(batch.producerId()).isEqualTo(their.producerId());
    assertThat(batch.producerEpoch()).isEqualTo(their.producerEpoch());
    assertThat(batch.baseSequence()).isEqualTo(their.baseSequence());
    assertThat(batch.attributes()).isEqualTo(their.attributes());
    assertThat(batch.baseTimestamp()).isEqualTo(their.baseTimestamp());
    assertThat(Samples.readByKafka(Samples.copy(batch)))
        .isEqualTo(Samples.readByKafka(theirs.stored()));
  }

  /**
   * Kafka's answer to the client, as far as it has one for this fault: some throw what clients see
   * as unknown error.
   */
  private static void compareReasons(InvalidBatchException ours, Throwable theirs) {
    if (theirs instanceof RecordValidationException perRecord) {
      if (ours.getMessage().contains(" data: ")) {
        return; // two faults at once: what cannot be unpacked to its end is refused for that
      }
      boolean isTimestamp = perRecord.invalidException() instanceof InvalidTimestampException;
      assertThat(ours.reason())
          .as("%s, Kafka: %s %s", ours, theirs, perRecord.recordErrors())
          .isEqualTo(isTimestamp ? Reason.INVALID_TIMESTAMP : Reason.INVALID_RECORD);
      assertThat(ours.recordErrors().stream().map(RecordError::batchIndex))
          .containsExactlyElementsOf(
              perRecord.recordErrors().stream().map(error -> error.batchIndex).toList());
    } else if (theirs instanceof CorruptRecordException) {
      assertThat(ours.reason())
          .as("%s, Kafka: %s", ours, theirs)
          .isIn(Reason.CORRUPT, Reason.UNSUPPORTED_MAGIC);
    } else if (theirs instanceof InvalidRecordException
        && !ours.getMessage().startsWith("length of the batch")) {
      assertThat(ours.reason())
          .as("%s, Kafka: %s", ours, theirs)
          .isIn(Reason.INVALID_RECORD, Reason.UNSUPPORTED_MAGIC);
    }
  }

  private void saw(Difference difference) {
    seen.merge(difference, 1, Integer::sum);
  }
}
