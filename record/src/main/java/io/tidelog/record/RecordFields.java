package io.tidelog.record;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Which field of which record lies at a byte of a batch, for tools that explain bytes. The records
 * must not be packed, and the batch must be {@link RecordBatch#isComplete complete}; {@link
 * RecordCursor} has the layout. For one question.
 */
public final class RecordFields {
  private final ByteBuffer bytes;
  private final int wanted;
  private final int recordCount;
  private int record;
  private int fieldStart;
  private Field found;

  /**
   * A field of a record.
   *
   * @param record index of the record in its batch
   * @param name as in the table of {@link RecordCursor}
   * @param at where the field starts, counted from the start of the batch
   * @param sizeBytes how long it is
   * @param number its value if it is a number
   * @param bytes its value if it is bytes, else null
   */
  public record Field(
      int record, String name, int at, int sizeBytes, long number, ByteBuffer bytes) {}

  private RecordFields(RecordBatch batch, int wanted) {
    this.bytes = batch.packedRecords();
    this.wanted = wanted - RecordBatch.HEADER_BYTES;
    this.recordCount = batch.recordCount();
  }

  /**
   * The field at a byte.
   *
   * @param at counted from the start of the batch, past its header
   * @return empty if the byte lies after the last record
   * @throws InvalidBatchException if a record up to there is malformed
   */
  public static Optional<Field> at(RecordBatch batch, int at) {
    RecordFields fields = new RecordFields(batch, at);
    fields.search();
    return Optional.ofNullable(fields.found);
  }

  private void search() {
    while (found == null && record < recordCount) {
      long length = number("length", Varint.readInt(bytes));
      if (length < 0 || length > bytes.remaining()) {
        throw malformed("length is " + length + ", but " + bytes.remaining() + " bytes are left");
      }
      int end = bytes.position() + (int) length;
      if (found == null && wanted < end) {
        searchBody();
      }
      bytes.position(end);
      fieldStart = end;
      record++;
    }
  }

  private void searchBody() {
    number("attributes", bytes.get());
    number("timestampDelta", Varint.readLong(bytes));
    number("offsetDelta", Varint.readInt(bytes));
    payload("key");
    payload("value");
    long headers = number("headerCount", Varint.readInt(bytes));
    for (int header = 0; found == null && header < headers; header++) {
      payload("header " + header + " key");
      payload("header " + header + " value");
    }
    if (found == null) {
      throw malformed("its fields end before its length does");
    }
  }

  private void payload(String name) {
    if (found != null) {
      return;
    }
    int length = (int) number(name + "Length", Varint.readInt(bytes));
    if (length > bytes.remaining()) {
      throw malformed(
          name + " length is " + length + ", but " + bytes.remaining() + " bytes are left");
    }
    int start = bytes.position();
    fieldStart = start + Math.max(length, 0);
    bytes.position(fieldStart);
    if (found == null && wanted < bytes.position()) {
      found = new Field(record, name, fromBatch(start), length, length, bytes.slice(start, length));
    }
  }

  /** A number was read: it ends here, and begins where the field before it ended. */
  private long number(String name, long value) {
    int end = bytes.position();
    if (found == null && wanted < end) {
      found = new Field(record, name, fromBatch(fieldStart), end - fieldStart, value, null);
    }
    fieldStart = end;
    return value;
  }

  private static int fromBatch(int at) {
    return RecordBatch.HEADER_BYTES + at;
  }

  private InvalidBatchException malformed(String what) {
    return new InvalidBatchException(
        InvalidBatchException.Reason.INVALID_RECORD, "record " + record + ": " + what);
  }
}
