package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flips every bit of a batch, one at a time, and looks at what is said about it. */
class BitFlipTest {

  @ParameterizedTest
  @EnumSource(Compression.class)
  void every_flipped_bit_is_told_by_the_field_that_it_hits(Compression compression) {
    ByteBuffer sound = Samples.byUs(Samples.mixedRows().subList(0, 4), compression);
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      BatchValidator validator = new BatchValidator(codecs);
      for (int bit = 0; bit < sound.limit() * Byte.SIZE; bit++) {
        ByteBuffer flipped = flipped(sound, bit);
        Reason reason = reason(validator, flipped);
        check(bit / Byte.SIZE, flipped, reason);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void after_a_flipped_length_reading_stops_where_the_sound_batches_end(Compression compression) {
    ByteBuffer batch = Samples.byUs(Samples.mixedRows(), compression);
    int size = batch.limit();
    ByteBuffer three =
        ByteBuffer.allocate(3 * size).put(batch.duplicate()).put(batch.duplicate()).put(batch);
    three.flip();
    assertThat(soundBytes(three)).isEqualTo(3 * size);
    for (int bit = 0; bit < RecordBatch.BATCH_LENGTH_SIZE * Byte.SIZE; bit++) {
      int flip = (size + RecordBatch.BATCH_LENGTH_AT) * Byte.SIZE + bit;
      assertThat(soundBytes(flipped(three, flip))).as("bit %d of the length", bit).isEqualTo(size);
    }
  }

  private static void check(int at, ByteBuffer flipped, Reason reason) {
    RecordBatch batch = RecordBatch.at(flipped, 0);
    if (at < RecordBatch.BATCH_LENGTH_AT) {
      assertThat(batch.computeCrc()).isEqualTo(batch.crc());
      assertThat(reason).as("base offset").isEqualTo(Reason.INVALID_RECORD);
    } else if (at < RecordBatch.PARTITION_LEADER_EPOCH_AT) {
      // A longer batch is not whole, a shorter one has a wrong CRC or leaves what is no batch.
      assertThat(reason)
          .as("length")
          .isIn(Reason.CORRUPT, Reason.INVALID_RECORD, Reason.UNSUPPORTED_MAGIC);
    } else if (at < RecordBatch.MAGIC_AT) {
      assertThat(batch.computeCrc()).isEqualTo(batch.crc());
      assertThat(reason).as("leader epoch").isNull();
    } else if (at < RecordBatch.CRC_AT) {
      assertThat(batch.computeCrc()).isEqualTo(batch.crc());
      assertThat(reason).as("magic").isEqualTo(Reason.UNSUPPORTED_MAGIC);
    } else {
      assertThat(batch.computeCrc()).isNotEqualTo(batch.crc());
      assertThat(reason).as("byte %d", at).isEqualTo(Reason.CORRUPT);
    }
  }

  /**
   * How a reader that checks each batch walks a buffer: it ends at the first batch that is not
   * sound.
   */
  private static int soundBytes(ByteBuffer batches) {
    int position = 0;
    while (batches.limit() - position >= RecordBatch.HEADER_BYTES) {
      RecordBatch batch = RecordBatch.at(batches, position);
      if (!batch.isComplete()
          || batch.magic() != RecordBatch.MAGIC
          || batch.computeCrc() != batch.crc()) {
        break;
      }
      position += batch.sizeBytes();
    }
    return position;
  }

  private static Reason reason(BatchValidator validator, ByteBuffer produced) {
    InvalidBatchException thrown =
        catchThrowableOfType(
            InvalidBatchException.class,
            () ->
                validator.validate(
                    produced.duplicate(), Origin.CLIENT, BatchRules.DEFAULT, Samples.NOW));
    return thrown == null ? null : thrown.reason();
  }

  private static ByteBuffer flipped(ByteBuffer sound, int bit) {
    ByteBuffer copy = ByteBuffer.allocate(sound.limit()).put(sound.duplicate()).flip();
    int at = bit / Byte.SIZE;
    copy.put(at, (byte) (copy.get(at) ^ (1 << (bit % Byte.SIZE))));
    return copy;
  }
}
