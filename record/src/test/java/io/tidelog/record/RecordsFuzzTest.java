package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands where the records of a batch should, they are walked to the end or refused in the
 * one typed way; what is walked, Kafka reads too, and written again it is read as before.
 *
 * <p>An input is the attributes, the record count, and the bytes after the header.
 */
class RecordsFuzzTest implements FuzzTarget {
  private static final int CHOICE_BYTES = Short.BYTES + Integer.BYTES;
  private static final UnpackLimits LIMITS = new UnpackLimits(1 << 20, 8 << 20);
  private static final MemoryBound MEMORY = MemoryBound.of(512 << 10, 128);

  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final RecordCursor cursor = new RecordCursor(codecs);
  private final RecordBatchWriter writer = new RecordBatchWriter(codecs);

  @Test
  void every_known_input_is_walked_or_refused() throws Exception {
    KnownInputs.replay(this);
    codecs.close();
  }

  @Override
  public List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (Compression compression : Compression.values()) {
      seeds.add(recordsOf(Samples.byUs(Samples.manyRows(3), compression)));
      seeds.add(recordsOf(Samples.byUs(Samples.mixedRows().subList(0, 4), compression)));
    }
    return seeds;
  }

  private static byte[] recordsOf(ByteBuffer bytes) {
    RecordBatch batch = RecordBatch.at(bytes, 0);
    ByteBuffer records = batch.packedRecords();
    return ByteBuffer.allocate(CHOICE_BYTES + records.remaining())
        .putShort(batch.attributes())
        .putInt(batch.recordCount())
        .put(records)
        .array();
  }

  @Override
  public void check(byte[] input) throws Exception {
    if (input.length < CHOICE_BYTES) {
      return;
    }
    ByteBuffer bytes = batchOf(ByteBuffer.wrap(input));
    MEMORY.check(input.length, () -> isWalked(bytes));
    if (isWalked(bytes)) {
      List<Samples.Row> rows = Samples.readByUs(bytes);
      assertThat(Samples.readByKafka(bytes)).isEqualTo(rows);
      writtenAgain(bytes, rows);
    }
  }

  private static ByteBuffer batchOf(ByteBuffer input) {
    ByteBuffer batch = ByteBuffer.allocate(RecordBatch.HEADER_BYTES + input.limit() - CHOICE_BYTES);
    batch.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
    batch.putShort(RecordBatch.ATTRIBUTES_AT, input.getShort());
    batch.putInt(RecordBatch.RECORD_COUNT_AT, input.getInt());
    batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, Samples.NOW);
    batch.putLong(RecordBatch.MAX_TIMESTAMP_AT, Samples.NOW + 1);
    batch.put(RecordBatch.HEADER_BYTES, input, input.position(), input.remaining());
    return Samples.sealed(batch);
  }

  /** Whether all records can be read, each field of each touched. */
  private boolean isWalked(ByteBuffer bytes) {
    RecordBatch batch = RecordBatch.at(bytes, 0);
    try {
      cursor.open(batch, LIMITS);
      int records = 0;
      while (cursor.next()) {
        records++;
        assertThat(cursor.index()).isLessThan(batch.recordCount());
        HeaderCursor headers = cursor.headers();
        int left = cursor.headerCount();
        while (headers.next()) {
          left--;
        }
        assertThat(left).isZero();
      }
      assertThat(records).isEqualTo(batch.recordCount());
      return true;
    } catch (InvalidBatchException refused) {
      assertThat(refused).message().isNotBlank();
      return false;
    }
  }

  private void writtenAgain(ByteBuffer bytes, List<Samples.Row> rows) {
    if (rows.isEmpty() || !isRising(rows)) {
      return;
    }
    writer.begin().baseOffset(Math.min(0, rows.get(0).offset()));
    cursor.open(RecordBatch.at(bytes, 0), LIMITS);
    while (cursor.next()) {
      writer.appendCopyAt(cursor.offset(), cursor);
    }
    assertThat(Samples.readByUs(Samples.copy(writer.finish()))).isEqualTo(rows);
  }

  private static boolean isRising(List<Samples.Row> rows) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).offset() <= (i == 0 ? -1 : rows.get(i - 1).offset())) {
        return false;
      }
    }
    return true;
  }
}
