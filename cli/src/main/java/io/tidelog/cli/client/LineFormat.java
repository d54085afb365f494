package io.tidelog.cli.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * How a record stands on a line: its value alone or, with a separator, its key before the first
 * separator and its value after it. Bytes pass unchanged, but for the one text that may stand for
 * null.
 */
final class LineFormat {
  private final byte[] separator;
  private final byte[] nullText;

  /** Key and value of a record, each perhaps null. */
  record KeyValue(byte[] key, byte[] value) {}

  private LineFormat(byte[] separator, byte[] nullText) {
    this.separator = separator;
    this.nullText = nullText;
  }

  /**
   * A format.
   *
   * @param separator null for the value alone
   * @param nullText null if there is no such text
   */
  static LineFormat of(String separator, String nullText) {
    return new LineFormat(utf8(separator), utf8(nullText));
  }

  /** The record on a line; empty if there is no separator in it. */
  Optional<KeyValue> parse(byte[] line) {
    if (separator == null) {
      return Optional.of(new KeyValue(null, orNull(line)));
    }
    int at = indexOf(line, separator);
    if (at < 0) {
      return Optional.empty();
    }
    return Optional.of(
        new KeyValue(
            orNull(Arrays.copyOf(line, at)),
            orNull(Arrays.copyOfRange(line, at + separator.length, line.length))));
  }

  private byte[] orNull(byte[] bytes) {
    return Arrays.equals(bytes, nullText) ? null : bytes;
  }

  private static int indexOf(byte[] line, byte[] wanted) {
    for (int i = 0; i <= line.length - wanted.length; i++) {
      if (Arrays.equals(line, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }

  /** The bytes that show a key or a value. */
  byte[] show(byte[] bytes) {
    if (bytes != null) {
      return bytes;
    }
    return nullText == null ? new byte[0] : nullText;
  }

  private static byte[] utf8(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
