package io.tidelog.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A header of a record, to be written.
 *
 * @param key UTF-8, may be empty
 * @param value any bytes, or null
 */
public record RecordHeader(ByteBuffer key, ByteBuffer value) {

  /** A header with a text key. */
  public static RecordHeader of(String key, byte[] value) {
    return new RecordHeader(
        ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8)),
        value == null ? null : ByteBuffer.wrap(value));
  }
}
