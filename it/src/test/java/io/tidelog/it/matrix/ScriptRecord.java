package io.tidelog.it.matrix;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A record that clients write and read.
 *
 * @param timestampMs when it was made
 * @param key the key, or null
 * @param value the value; null makes it a tombstone
 * @param headers in order
 */
public record ScriptRecord(
    long timestampMs, String key, String value, Map<String, String> headers) {
  private static final String NULL = "\\N";

  /** As one line that programs in any language can read. */
  String line() {
    StringBuilder line = new StringBuilder();
    line.append(timestampMs).append('\t').append(key == null ? NULL : key);
    line.append('\t').append(value == null ? NULL : value).append('\t');
    headers.forEach((name, text) -> line.append(name).append('=').append(text).append(';'));
    return line.toString();
  }

  static ScriptRecord parse(String line) {
    String[] fields = line.split("\t", -1);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String header : fields[3].split(";")) {
      if (!header.isEmpty()) {
        int equals = header.indexOf('=');
        headers.put(header.substring(0, equals), header.substring(equals + 1));
      }
    }
    return new ScriptRecord(
        Long.parseLong(fields[0]), orNull(fields[1]), orNull(fields[2]), headers);
  }

  private static String orNull(String field) {
    return field.equals(NULL) ? null : field;
  }
}
