package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** What is read off a batch before the log looks at it; of what has no header, nothing. */
class SentBatchTest {
  private static final org.apache.kafka.common.compress.Compression ZSTD =
      org.apache.kafka.common.compress.Compression.zstd().build();

  private static MemoryRecords ofTransaction() {
    return MemoryRecords.withTransactionalRecords(
        ZSTD, 7L, (short) 3, 0, new SimpleRecord("v".getBytes(StandardCharsets.UTF_8)));
  }

  private static SentBatch sent(ByteBuffer bytes) {
    return SentBatch.of(
        new PartitionProduceData().setRecords(MemoryRecords.readableRecords(bytes)));
  }

  @Test
  void a_header_tells_of_transaction_producer_and_compression() {
    SentBatch batch = sent(ofTransaction().buffer());
    assertThat(batch.isTransactional()).isTrue();
    assertThat(batch.header().producerId()).isEqualTo(7);
    assertThat(batch.header().producerEpoch()).isEqualTo((short) 3);
    assertThat(batch.isCompressedWith(Compression.ZSTD)).isTrue();
    assertThat(batch.isCompressedWith(Compression.GZIP)).isFalse();
  }

  @Test
  void nothing_is_read_off_what_is_too_short() {
    ByteBuffer cut = ofTransaction().buffer().limit(RecordBatch.HEADER_BYTES - 1);
    assertThat(sent(cut).isTransactional()).isFalse();
    assertThat(sent(cut).isCompressedWith(Compression.ZSTD)).isFalse();
    assertThat(sent(cut).bytes().remaining()).isEqualTo(RecordBatch.HEADER_BYTES - 1);
    assertThat(sent(ByteBuffer.allocate(0)).isTransactional()).isFalse();
  }

  @Test
  void nothing_is_read_off_another_format() {
    ByteBuffer old = ofTransaction().buffer();
    old.put(RecordBatch.MAGIC_AT, (byte) 1);
    assertThat(sent(old).isTransactional()).isFalse();
    assertThat(sent(old).isCompressedWith(Compression.ZSTD)).isFalse();
  }

  @Test
  void where_nothing_came_there_are_no_bytes() {
    SentBatch none = SentBatch.of(new PartitionProduceData());
    assertThat(none.isTransactional()).isFalse();
    assertThat(none.isCompressedWith(Compression.NONE)).isFalse();
    assertThatThrownBy(none::bytes).isInstanceOf(InvalidRecordException.class);
  }
}
