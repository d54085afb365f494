package io.tidelog.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing to show: its kind, and its fields in the order in which they are to be shown. The names
 * are the same on lines for people and in JSON, so they are part of the program's API. A value is a
 * number, a text, a flag ({@code Boolean}), a time ({@code Instant}), bytes ({@code ByteBuffer},
 * perhaps null) or a list of rows.
 */
public final class Row {
  private final String kind;
  private final int depth;
  private final Map<String, Object> fields = new LinkedHashMap<>();

  private Row(String kind, int depth) {
    this.kind = kind;
    this.depth = depth;
  }

  /** A thing that stands for itself. */
  public static Row of(String kind) {
    return new Row(kind, 0);
  }

  /** A thing that belongs to the one before it. */
  public static Row under(String kind) {
    return new Row(kind, 1);
  }

  /** Adds a field; a flag that is not set is left out. */
  public Row with(String name, Object value) {
    if (!Boolean.FALSE.equals(value)) {
      fields.put(name, value);
    }
    return this;
  }

  String kind() {
    return kind;
  }

  int depth() {
    return depth;
  }

  public Map<String, Object> fields() {
    return fields;
  }
}
