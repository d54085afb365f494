package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.Test;

/** What is not one sound batch is refused with the error that Kafka has for it, and not stored. */
class BadBatchesAreRefusedTest extends WithBroker {
  private static final int LENGTH_AT = 8;
  private static final int MAGIC_AT = 16;
  private static final int CRC_AT = 17;
  private static final int ATTRIBUTES_AT = 21;
  private static final int LAST_OFFSET_DELTA_AT = 23;
  private static final int BASE_SEQUENCE_AT = 53;
  private static final int COUNT_AT = 57;
  private static final int RECORDS_AT = 61;

  @Test
  void a_count_beyond_all_bounds_is_an_invalid_record() throws IOException {
    refused(
        Errors.INVALID_RECORD,
        Batches.patched(
            Batches.of("a"),
            batch ->
                batch
                    .putInt(COUNT_AT, Integer.MAX_VALUE)
                    .putInt(LAST_OFFSET_DELTA_AT, Integer.MAX_VALUE - 1)));
  }

  @Test
  void a_count_that_the_last_offset_contradicts_is_an_invalid_record() throws IOException {
    int[][] countsAndDeltas = {{3, 5}, {3, 1}, {0, 2}, {-1, 2}, {3, -1}, {2, 1}, {4, 3}, {0, -1}};
    for (int[] pair : countsAndDeltas) {
      refused(
          Errors.INVALID_RECORD,
          Batches.patched(
              Batches.of("a", "b", "c"),
              batch -> batch.putInt(COUNT_AT, pair[0]).putInt(LAST_OFFSET_DELTA_AT, pair[1])));
    }
  }

  @Test
  void headers_that_cannot_be_are_an_invalid_record() throws IOException {
    for (byte[] headers : new byte[][] {{0x35}, {0x04}, {0x02, 0x01, 0x00}, {0x02, 0x00, 0x03}}) {
      refused(Errors.INVALID_RECORD, endingWith(headers));
    }
  }

  @Test
  void a_changed_byte_anywhere_below_the_crc_is_corrupt() throws IOException {
    MemoryRecords batch = Batches.of("value");
    for (int at = CRC_AT; at < batch.sizeInBytes(); at++) {
      refused(Errors.CORRUPT_MESSAGE, Batches.damaged(batch, at));
    }
  }

  @Test
  void old_formats_are_invalid_and_unknown_ones_corrupt() throws IOException {
    refused(Errors.INVALID_RECORD, withMagic(0));
    refused(Errors.INVALID_RECORD, withMagic(1));
    refused(Errors.CORRUPT_MESSAGE, withMagic(3));
    refused(Errors.CORRUPT_MESSAGE, withMagic(-1));
  }

  @Test
  void nothing_two_batches_and_a_torn_batch_are_invalid() throws IOException {
    MemoryRecords one = Batches.of("a");
    refused(Errors.INVALID_RECORD, MemoryRecords.EMPTY);
    refused(Errors.INVALID_RECORD, joined(one, one));
    refused(Errors.INVALID_RECORD, cut(one, 1));
    refused(Errors.INVALID_RECORD, cut(one, one.sizeInBytes() - 11));
    refused(Errors.CORRUPT_MESSAGE, patched(batch -> batch.putInt(LENGTH_AT, 13)));
    refused(Errors.CORRUPT_MESSAGE, patched(batch -> batch.putInt(LENGTH_AT, -1)));
    refused(Errors.INVALID_RECORD, patched(batch -> batch.putInt(LENGTH_AT, Integer.MAX_VALUE)));
  }

  @Test
  void a_torn_batch_behind_a_whole_one_is_left_out() throws IOException {
    Topic topic = broker.create("torn");
    MemoryRecords one = Batches.of("a");
    assertThat(client.produce(topic, 0, joined(one, cut(one, 5))).errorCode()).isZero();
    assertThat(client.produce(topic, 0, joined(one, cut(one, 40))).errorCode()).isZero();
    assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("a", "a");
  }

  @Test
  void an_unknown_compression_is_refused_for_good() throws IOException {
    refused(
        Errors.UNSUPPORTED_COMPRESSION_TYPE,
        patched(batch -> batch.putShort(ATTRIBUTES_AT, (short) 5)));
  }

  @Test
  void compressed_bytes_that_do_not_unpack_are_refused() throws IOException {
    for (short codec = 1; codec <= 4; codec++) {
      short attributes = codec;
      PartitionProduceResponse answer =
          produce(patched(batch -> batch.putShort(ATTRIBUTES_AT, attributes)));
      assertThat(Errors.forCode(answer.errorCode()))
          .as("codec %d", codec)
          .isIn(Errors.CORRUPT_MESSAGE, Errors.INVALID_RECORD);
    }
  }

  @Test
  void zstd_needs_produce_version_7() throws IOException {
    Topic topic = broker.create("packed");
    MemoryRecords zstd = Batches.of(Compression.zstd().build(), "a");
    assertThat(Errors.forCode(client.produceVersion(6).produce(topic, 0, zstd).errorCode()))
        .isEqualTo(Errors.UNSUPPORTED_COMPRESSION_TYPE);
    assertThat(client.produceVersion(7).produce(topic, 0, zstd).errorCode()).isZero();
  }

  @Test
  void control_batches_and_bad_sequences_are_invalid() throws IOException {
    refused(
        Errors.INVALID_RECORD, patched(batch -> batch.putShort(ATTRIBUTES_AT, (short) (1 << 5))));
    refused(
        Errors.INVALID_RECORD,
        Batches.patched(
            Batches.idempotent(7, 0, 0, "a"), batch -> batch.putInt(BASE_SEQUENCE_AT, -1)));
    refused(Errors.INVALID_RECORD, patched(batch -> batch.putLong(0, 1)));
  }

  @Test
  void transactional_batches_of_no_transaction_are_refused() throws IOException {
    MemoryRecords batch =
        MemoryRecords.withTransactionalRecords(
            Compression.NONE, 7, (short) 0, 0, new SimpleRecord(Batches.bytes("a")));
    refused(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, batch);
    Topic topic = broker.create("transactions");
    ProduceRequest request = client.produceRequest(topic, 0, batch);
    request.data().setTransactionalId("payments");
    assertThat(client.wire().call(request).errorCounts())
        .as("there is no coordinator yet that could have admitted it")
        .containsOnlyKeys(Errors.NOT_ENOUGH_REPLICAS);
    assertThat(broker.log(topic, 0).view().end()).isZero();
  }

  @Test
  void batches_larger_than_the_topic_allows_are_too_large() throws IOException {
    Topic small = broker.create("small", 1, Map.of("max.message.bytes", "1000"));
    assertThat(client.produce(small, 0, Batches.sized(1, 900)).errorCode()).isZero();
    assertThat(Errors.forCode(client.produce(small, 0, Batches.sized(1, 1000)).errorCode()))
        .isEqualTo(Errors.MESSAGE_TOO_LARGE);
    assertThat(broker.log(small, 0).view().end()).isEqualTo(1);
  }

  @Test
  void batches_larger_than_a_segment_are_too_large_a_list() throws IOException {
    Topic topic = broker.create("segments", 1, Map.of("segment.bytes", "1048576"));
    client.produce(topic, 0, Batches.sized(1, 1_048_500));
    PartitionProduceResponse answer = client.produce(topic, 0, Batches.sized(1, 1_048_510));
    assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.RECORD_LIST_TOO_LARGE);
  }

  @Test
  void records_dated_too_far_in_the_future_have_an_invalid_timestamp() throws IOException {
    long year = 365L * 24 * 3600 * 1000;
    long now = System.currentTimeMillis();
    PartitionProduceResponse answer =
        produce(Batches.at(Compression.NONE, now, now + year, now, now + year));
    assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_TIMESTAMP);
    assertThat(answer.recordErrors()).extracting("batchIndex").containsExactly(1, 3);
  }

  @Test
  void a_record_without_key_on_a_compacted_topic_is_named() throws IOException {
    Topic topic = broker.create("compacted", 1, Map.of("cleanup.policy", "compact"));
    for (Compression packing : new Compression[] {Compression.NONE, Compression.gzip().build()}) {
      MemoryRecords batch =
          MemoryRecords.withRecords(
              packing,
              new SimpleRecord(Batches.NOW, Batches.bytes("k"), Batches.bytes("a")),
              new SimpleRecord(Batches.NOW, null, Batches.bytes("b")),
              new SimpleRecord(Batches.NOW, Batches.bytes("k"), Batches.bytes("c")));
      PartitionProduceResponse answer = client.produce(topic, 0, batch);
      assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_RECORD);
      assertThat(answer.errorMessage()).contains("key");
      assertThat(answer.recordErrors()).hasSize(1);
      assertThat(answer.recordErrors().get(0).batchIndex()).isEqualTo(1);
      assertThat(answer.recordErrors().get(0).batchIndexErrorMessage()).contains("key");
    }
    assertThat(broker.log(topic, 0).view().end()).isZero();
  }

  @Test
  void clients_may_not_write_internal_topics() throws IOException {
    Topic offsets = TestBroker.await(broker.topics().findOrCreate("__consumer_offsets"));
    assertThat(Errors.forCode(client.produce(offsets, 0, Batches.of("a")).errorCode()))
        .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(broker.log(offsets, 0).view().end()).isZero();
  }

  /** Checks that a good batch before and after gets the next offsets, and this one nothing. */
  private void refused(Errors expected, MemoryRecords bad) throws IOException {
    Topic topic = broker.topics().find("bad").orElseGet(() -> broker.create("bad"));
    long end = client.produce(topic, 0, Batches.of("good")).baseOffset() + 1;
    PartitionProduceResponse answer = client.produce(topic, 0, bad);
    assertThat(Errors.forCode(answer.errorCode())).isEqualTo(expected);
    assertThat(answer.baseOffset()).isEqualTo(-1);
    assertThat(client.produce(topic, 0, Batches.of("good")).baseOffset()).isEqualTo(end);
  }

  private PartitionProduceResponse produce(MemoryRecords batch) throws IOException {
    Topic topic = broker.topics().find("bad").orElseGet(() -> broker.create("bad"));
    return client.produce(topic, 0, batch);
  }

  private static MemoryRecords patched(Consumer<ByteBuffer> patch) {
    return Batches.patched(Batches.of("a"), patch);
  }

  private static MemoryRecords withMagic(int magic) {
    return patched(batch -> batch.put(MAGIC_AT, (byte) magic));
  }

  private static MemoryRecords joined(MemoryRecords first, MemoryRecords second) {
    ByteBuffer both = ByteBuffer.allocate(first.sizeInBytes() + second.sizeInBytes());
    both.put(first.buffer()).put(second.buffer()).flip();
    return MemoryRecords.readableRecords(both);
  }

  /** One record of which the headers, their count first, are these bytes. */
  private static MemoryRecords endingWith(byte[] headers) {
    ByteBuffer good = Batches.of("a").buffer();
    int countAt = good.limit() - 1; // of no headers
    ByteBuffer bytes = ByteBuffer.allocate(countAt + headers.length);
    bytes.put(good.slice(0, countAt)).put(headers).flip();
    int recordBytes = bytes.limit() - RECORDS_AT - 1;
    bytes.put(RECORDS_AT, (byte) (2 * recordBytes)).putInt(LENGTH_AT, bytes.limit() - 12);
    return Batches.patched(MemoryRecords.readableRecords(bytes), batch -> {});
  }

  /** Without the last bytes. */
  private static MemoryRecords cut(MemoryRecords batch, int missingBytes) {
    ByteBuffer bytes = batch.buffer();
    return MemoryRecords.readableRecords(bytes.slice(0, bytes.limit() - missingBytes));
  }
}
