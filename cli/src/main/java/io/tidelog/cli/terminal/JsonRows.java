package io.tidelog.cli.terminal;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows for programs: one JSON object per line. Times are milliseconds since the epoch. Bytes that
 * are not UTF-8 stand in Base64 under the field's name with {@code Base64} after it.
 */
public final class JsonRows implements Rows {
  private final PrintStream out;

  public JsonRows(PrintStream out) {
    this.out = out;
  }

  @Override
  public void row(Row row) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("kind", row.kind());
    object.putAll(object(row));
    out.println(JsonLine.of(object));
  }

  private static Map<String, Object> object(Row row) {
    Map<String, Object> object = new LinkedHashMap<>();
    row.fields().forEach((name, value) -> put(object, name, value));
    return object;
  }

  private static void put(Map<String, Object> object, String name, Object value) {
    if (value == null || value instanceof ByteBuffer) {
      Payload.putJson(object, name, (ByteBuffer) value);
    } else if (value instanceof Instant time) {
      object.put(name, time.toEpochMilli());
    } else if (value instanceof List<?> rows) {
      object.put(name, rows.stream().map(row -> object((Row) row)).toList());
    } else {
      object.put(name, value);
    }
  }
}
