package io.tidelog.cli.terminal;

import java.util.List;
import java.util.Map;

/**
 * Writes one JSON value on one line: maps in their order, lists, texts, whole numbers, booleans and
 * null. Control characters and lone surrogates are escaped, so that the line is valid UTF-8.
 */
public final class JsonLine {
  private final StringBuilder line = new StringBuilder();

  private JsonLine() {}

  /** The JSON text of a value. */
  public static String of(Object value) {
    JsonLine json = new JsonLine();
    json.append(value);
    return json.line.toString();
  }

  private void append(Object value) {
    if (value instanceof Map<?, ?> map) {
      appendMap(map);
    } else if (value instanceof List<?> list) {
      appendList(list);
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      line.append(value);
    } else {
      appendText(value.toString());
    }
  }

  private void appendMap(Map<?, ?> map) {
    char separator = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      line.append(separator);
      appendText(entry.getKey().toString());
      line.append(':');
      append(entry.getValue());
      separator = ',';
    }
    line.append(separator == '{' ? "{}" : "}");
  }

  private void appendList(List<?> list) {
    char separator = '[';
    for (Object element : list) {
      line.append(separator);
      append(element);
      separator = ',';
    }
    line.append(separator == '[' ? "[]" : "]");
  }

  private void appendText(String text) {
    line.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> line.append("\\\"");
        case '\\' -> line.append("\\\\");
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        default -> appendCharacter(text, i);
      }
    }
    line.append('"');
  }

  private void appendCharacter(String text, int at) {
    char c = text.charAt(at);
    boolean isLone =
        Character.isHighSurrogate(c)
                && (at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1)))
            || Character.isLowSurrogate(c)
                && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    if (Character.isISOControl(c) || isLone) {
      line.append(String.format("\\u%04x", (int) c));
    } else {
      line.append(c);
    }
  }
}
