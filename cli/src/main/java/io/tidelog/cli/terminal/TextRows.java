package io.tidelog.cli.terminal;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows for people: the kind, then {@code name=value} for each field; a flag is its name alone. What
 * belongs to the row before it is indented.
 */
public final class TextRows implements Rows {
  private final PrintStream out;

  public TextRows(PrintStream out) {
    this.out = out;
  }

  @Override
  public void row(Row row) {
    StringBuilder line = new StringBuilder("  ".repeat(row.depth())).append(row.kind());
    row.fields().forEach((name, value) -> append(line.append(' '), name, value));
    out.println(line);
  }

  private static void append(StringBuilder line, String name, Object value) {
    if (value instanceof Boolean) {
      line.append(name);
    } else {
      line.append(name).append('=').append(text(value));
    }
  }

  private static String text(Object value) {
    if (value == null || value instanceof ByteBuffer) {
      return Payload.forPeople((ByteBuffer) value);
    }
    if (value instanceof List<?> rows) {
      return rows.stream()
          .map(row -> fieldsOf((Row) row))
          .collect(Collectors.joining(", ", "[", "]"));
    }
    return value.toString();
  }

  private static String fieldsOf(Row row) {
    StringBuilder text = new StringBuilder();
    row.fields()
        .forEach((name, value) -> append(text.append(text.length() == 0 ? "" : " "), name, value));
    return text.toString();
  }
}
