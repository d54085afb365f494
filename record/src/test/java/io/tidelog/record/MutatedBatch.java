package io.tidelog.record;

import io.tidelog.record.BatchRules.KeyRule;
import io.tidelog.record.BatchRules.SizeRule;
import io.tidelog.record.BatchRules.TimestampRule;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/**
 * Makes batches from a seed: sound ones, and ones with a few lies in header, records or packed
 * bytes, CRC right.
 */
final class MutatedBatch {
  private static final long NOW = Samples.NOW;
  private static final int PLAIN_BYTES = 4 << 10;

  private final Random random;

  MutatedBatch(long seed) {
    random = new Random(seed);
  }

  BatchRules rules() {
    TimestampType type = oneIn(4) ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
    return new BatchRules(
        new TimestampRule(type, oneIn(2) ? Long.MAX_VALUE : 10_000, oneIn(8) ? 5 : 3_600_000),
        SizeRule.DEFAULT,
        oneIn(2) ? Optional.empty() : Optional.of(Packing.of(compression())),
        oneIn(5) ? KeyRule.REQUIRED : KeyRule.OPTIONAL);
  }

  ByteBuffer batch() {
    int count = 1 + random.nextInt(4);
    byte[] records = oneIn(2) ? mutated(records(count)) : records(count);
    Compression compression = compression();
    byte[] packed = packed(records, compression);
    if (oneIn(12)) {
      packed = mutated(packed);
    }
    ByteBuffer batch =
        ByteBuffer.allocate(RecordBatch.HEADER_BYTES + packed.length)
            .put(RecordBatch.HEADER_BYTES, packed);
    putHeader(batch, count, compression);
    if (oneIn(3)) {
      lieInHeader(batch);
    }
    Samples.sealed(batch);
    return oneIn(10) ? withWrongEnd(batch) : batch;
  }

  private byte[] records(int count) {
    RecordEncoder encoder = new RecordEncoder();
    encoder.clear();
    boolean numberedAtRandom = oneIn(10);
    for (int i = 0; i < count; i++) {
      int delta = numberedAtRandom ? random.nextInt(5) : i;
      encoder.append(delta, timestampDelta(), bytes(), bytes(), headers());
    }
    ByteBuffer written = encoder.buffer().flip().position(RecordBatch.HEADER_BYTES);
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return bytes;
  }

  private long timestampDelta() {
    if (oneIn(30)) {
      return random.nextLong();
    }
    return random.nextInt(oneIn(5) ? 100_000 : 20) - 10L;
  }

  private ByteBuffer bytes() {
    if (oneIn(6)) {
      return null;
    }
    byte[] bytes = new byte[random.nextInt(oneIn(8) ? 200 : 6)];
    if (oneIn(2)) {
      random.nextBytes(bytes);
    }
    return ByteBuffer.wrap(bytes);
  }

  private List<RecordHeader> headers() {
    if (!oneIn(3)) {
      return List.of();
    }
    return List.of(RecordHeader.of("k", new byte[] {1}), RecordHeader.of("", null));
  }

  private byte[] mutated(byte[] bytes) {
    byte[] result = bytes;
    for (int i = 0; i <= random.nextInt(2) && result.length > 0; i++) {
      int at = random.nextInt(result.length);
      switch (random.nextInt(6)) {
        case 0, 1 -> result[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> result[at] = (byte) random.nextInt();
        case 3 -> result = Arrays.copyOf(result, at);
        case 4 -> result = Arrays.copyOf(result, result.length + 1 + random.nextInt(30));
        default -> result[at] = (byte) (random.nextInt(9) - 4);
      }
    }
    return result;
  }

  private static byte[] packed(byte[] records, Compression compression) {
    ByteBufferOutputStream packed = new ByteBufferOutputStream(PLAIN_BYTES);
    try (OutputStream out =
        Samples.kafkaCompression(compression).wrapForOutput(packed, RecordBatch.MAGIC)) {
      out.write(records);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ByteBuffer written = packed.buffer().flip();
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return bytes;
  }

  private void putHeader(ByteBuffer batch, int count, Compression compression) {
    boolean idempotent = oneIn(3);
    batch.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
    batch.putInt(RecordBatch.PARTITION_LEADER_EPOCH_AT, -1);
    batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) compression.code());
    batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, count - 1);
    batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, oneIn(20) ? -1 : NOW);
    batch.putLong(RecordBatch.MAX_TIMESTAMP_AT, NOW + random.nextInt(20));
    batch.putLong(RecordBatch.PRODUCER_ID_AT, idempotent ? 7 : -1);
    batch.putShort(RecordBatch.PRODUCER_EPOCH_AT, (short) (idempotent ? 1 : -1));
    batch.putInt(RecordBatch.BASE_SEQUENCE_AT, idempotent ? random.nextInt(5) : -1);
    batch.putInt(RecordBatch.RECORD_COUNT_AT, count);
  }

  private void lieInHeader(ByteBuffer batch) {
    switch (random.nextInt(11)) {
      case 0 -> batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, someInt());
      case 1 -> batch.putInt(RecordBatch.RECORD_COUNT_AT, someInt());
      case 2 -> {
        int count = random.nextInt(6);
        batch.putInt(RecordBatch.RECORD_COUNT_AT, count);
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, count - 1);
      }
      case 3, 4 -> {
        int bit = random.nextInt(7);
        int attributes = batch.getShort(RecordBatch.ATTRIBUTES_AT) ^ (1 << bit);
        batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) attributes);
      }
      case 5 -> batch.putLong(RecordBatch.BASE_OFFSET_AT, random.nextInt(3) - 1);
      case 6 -> batch.put(RecordBatch.MAGIC_AT, (byte) (random.nextInt(6) - 1));
      case 7 -> batch.putInt(RecordBatch.BASE_SEQUENCE_AT, someInt());
      case 8 -> batch.putLong(RecordBatch.PRODUCER_ID_AT, random.nextInt(4) - 2);
      case 9 -> batch.putShort(RecordBatch.PRODUCER_EPOCH_AT, (short) (random.nextInt(4) - 2));
      default -> batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, random.nextLong());
    }
  }

  private int someInt() {
    return oneIn(4) ? random.nextInt() : random.nextInt(8) - 3;
  }

  private ByteBuffer withWrongEnd(ByteBuffer batch) {
    if (oneIn(3)) {
      int length = batch.limit() - RecordBatch.LOG_OVERHEAD_BYTES + random.nextInt(5) - 2;
      return batch.putInt(RecordBatch.BATCH_LENGTH_AT, length);
    }
    byte[] tail = new byte[oneIn(2) ? random.nextInt(80) : batch.limit()];
    if (oneIn(2)) {
      random.nextBytes(tail);
    } else {
      batch.get(0, tail, 0, Math.min(tail.length, batch.limit()));
    }
    return ByteBuffer.allocate(batch.limit() + tail.length).put(batch.duplicate()).put(tail).flip();
  }

  private Compression compression() {
    return oneIn(2)
        ? Compression.NONE
        : Compression.of(random.nextInt(Compression.values().length));
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }
}
