package io.tidelog.cli.dump;

import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;

/** Ways to break a batch in an array of bytes so that its CRC does not tell. */
final class DamagedBatch {
  private DamagedBatch() {}

  /** Replaces the length of the first record, which must take one byte. */
  static void setRecordLength(byte[] bytes, int position, byte zigZagLength) {
    bytes[position + RecordBatch.HEADER_BYTES] = zigZagLength;
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long crc = RecordBatch.at(buffer, position).computeCrc();
    buffer.putInt(position + RecordBatch.CRC_AT, (int) crc);
  }
}
