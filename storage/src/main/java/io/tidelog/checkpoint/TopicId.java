package io.tidelog.checkpoint;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * A topic's unique id: 128 bits, written as 22 characters of URL-safe base64.
 *
 * @param high the first eight bytes
 * @param low the last eight bytes
 */
public record TopicId(long high, long low) {

  /** Reads the 22-character form. */
  public static TopicId parse(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    if (bytes.length != 2 * Long.BYTES) {
      throw new IllegalArgumentException(
          "a topic id has 16 bytes, \"" + text + "\" has " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new TopicId(buffer.getLong(), buffer.getLong());
  }

  @Override
  public String toString() {
    byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
