package io.tidelog.broker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.internals.Crc32C;

/** Batches as producers make them, by Kafka's own code, and as bad ones would. */
final class Batches {
  static final long NOW = 1_700_000_000_000L;

  private Batches() {}

  /** One uncompressed batch with these values, no keys. */
  static MemoryRecords of(String... values) {
    return of(Compression.NONE, values);
  }

  static MemoryRecords of(Compression compression, String... values) {
    SimpleRecord[] records = new SimpleRecord[values.length];
    for (int i = 0; i < values.length; i++) {
      records[i] = new SimpleRecord(NOW + i, null, bytes(values[i]));
    }
    return MemoryRecords.withRecords(compression, records);
  }

  /** One batch with records at these times; each value is its number. */
  static MemoryRecords at(Compression compression, long... timestamps) {
    SimpleRecord[] records = new SimpleRecord[timestamps.length];
    for (int i = 0; i < timestamps.length; i++) {
      records[i] = new SimpleRecord(timestamps[i], null, bytes(Integer.toString(i)));
    }
    return MemoryRecords.withRecords(compression, records);
  }

  /** A batch with {@code records} records of {@code valueBytes} each. */
  static MemoryRecords sized(int records, int valueBytes) {
    String[] values = new String[records];
    java.util.Arrays.fill(values, "x".repeat(valueBytes));
    return of(values);
  }

  /**
   * A batch of an idempotent producer, of this moment: a producer whose newest batch is dated a day
   * ago is forgotten.
   */
  static MemoryRecords idempotent(long producerId, int epoch, int sequence, String... values) {
    SimpleRecord[] records = new SimpleRecord[values.length];
    for (int i = 0; i < values.length; i++) {
      records[i] = new SimpleRecord(System.currentTimeMillis(), null, bytes(values[i]));
    }
    return MemoryRecords.withIdempotentRecords(
        Compression.NONE, producerId, (short) epoch, sequence, records);
  }

  /** The batch with another number in its header, and the CRC right again. */
  static MemoryRecords patched(MemoryRecords batch, java.util.function.Consumer<ByteBuffer> patch) {
    ByteBuffer copy = ByteBuffer.allocate(batch.sizeInBytes());
    copy.put(batch.buffer()).flip();
    patch.accept(copy);
    long crc = Crc32C.compute(copy, 21, copy.limit() - 21);
    copy.putInt(17, (int) crc);
    return MemoryRecords.readableRecords(copy);
  }

  /** The batch with a byte changed and the CRC as it was. */
  static MemoryRecords damaged(MemoryRecords batch, int at) {
    ByteBuffer copy = ByteBuffer.allocate(batch.sizeInBytes());
    copy.put(batch.buffer()).flip();
    copy.put(at, (byte) (copy.get(at) ^ 1));
    return MemoryRecords.readableRecords(copy);
  }

  /** All records of an answer. */
  static List<Record> records(PartitionData partition) {
    List<Record> records = new ArrayList<>();
    FetchResponse.recordsOrFail(partition).records().forEach(records::add);
    return records;
  }

  static List<String> values(PartitionData partition) {
    return records(partition).stream()
        .map(record -> StandardCharsets.UTF_8.decode(record.value()).toString())
        .toList();
  }

  static List<Long> offsets(PartitionData partition) {
    return records(partition).stream().map(Record::offset).toList();
  }

  /** Sizes of the whole batches of an answer. */
  static List<Integer> batchSizes(PartitionData partition) {
    List<Integer> sizes = new ArrayList<>();
    for (RecordBatch batch : FetchResponse.recordsOrFail(partition).batches()) {
      sizes.add(batch.sizeInBytes());
    }
    return sizes;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
