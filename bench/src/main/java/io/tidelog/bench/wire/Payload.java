package io.tidelog.bench.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * Batches to produce, the same ones in every run. About half of each value are letters and digits
 * at random, the rest repeats, so that codecs find something but not too much.
 *
 * @param records how many records a batch has
 * @param valueBytes bytes of each value
 * @param compression of the batch
 */
public record Payload(int records, int valueBytes, Compression compression) {
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  /** One record. */
  public static final Payload ONE_KIB = plain(1, 1024);

  /** 16 records, 16 KiB. */
  public static final Payload KIB_16 = plain(16, 1012);

  /** 1,000 records, 1 MiB less what the largest batch must leave for its header. */
  public static final Payload MIB_1 = plain(1000, 1036);

  private static Payload plain(int records, int valueBytes) {
    return new Payload(records, valueBytes, Compression.NONE);
  }

  /** 64 KiB of records, packed. */
  public static Payload packed(Compression compression) {
    return new Payload(64, 1024, compression);
  }

  /** A batch without a producer id. */
  public MemoryRecords batch() {
    return batch(RecordBatch.NO_PRODUCER_ID, RecordBatch.NO_PRODUCER_EPOCH);
  }

  /** A batch of an idempotent producer; its first sequence number is 0. */
  public MemoryRecords batch(long producerId, short epoch) {
    Random random = new Random(1);
    long nowMs = System.currentTimeMillis();
    SimpleRecord[] values = new SimpleRecord[records];
    for (int i = 0; i < records; i++) {
      values[i] = new SimpleRecord(nowMs, value(random));
    }
    return producerId == RecordBatch.NO_PRODUCER_ID
        ? MemoryRecords.withRecords(compression, values)
        : MemoryRecords.withIdempotentRecords(compression, producerId, epoch, 0, values);
  }

  /** A value. */
  public byte[] value(Random random) {
    ByteBuffer value = ByteBuffer.allocate(valueBytes);
    while (value.position() < valueBytes / 2) {
      value.put((byte) ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    byte[] filler = "the same again, ".getBytes(StandardCharsets.US_ASCII);
    while (value.hasRemaining()) {
      value.put(filler, 0, Math.min(filler.length, value.remaining()));
    }
    return value.array();
  }
}
