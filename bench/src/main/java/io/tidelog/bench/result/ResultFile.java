package io.tidelog.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a run down twice: as the table that was printed, and as JSON with every pair. */
public final class ResultFile {
  private ResultFile() {}

  /**
   * Writes both files.
   *
   * @param stem their path without an ending; the folder is made
   * @param facts what the figures depend on
   */
  public static void write(Path stem, Map<String, String> facts, List<Comparison> rows)
      throws IOException {
    Files.createDirectories(stem.toAbsolutePath().getParent());
    List<String> text = new ArrayList<>();
    facts.forEach((name, value) -> text.add("- " + name + ": " + value));
    text.add("");
    text.add(Table.head());
    rows.forEach(row -> text.add(Table.row(row)));
    Files.write(Path.of(stem + ".md"), text);
    Files.writeString(Path.of(stem + ".json"), json(facts, rows));
  }

  static String json(Map<String, String> facts, List<Comparison> rows) {
    return facts.entrySet().stream()
            .map(fact -> "    " + quoted(fact.getKey()) + ": " + quoted(fact.getValue()))
            .collect(Collectors.joining(",\n", "{\n  \"facts\": {\n", "\n  },\n"))
        + rows.stream()
            .map(ResultFile::json)
            .collect(Collectors.joining(",\n", "  \"rows\": [\n", "\n  ]\n}\n"));
  }

  private static String json(Comparison row) {
    List<String> fields = new ArrayList<>();
    fields.add("\"load\": " + quoted(row.load()));
    fields.add("\"figure\": " + quoted(row.figure().name()));
    fields.add("\"unit\": " + quoted(row.figure().unit()));
    fields.add("\"against\": " + quoted(row.figure().against().name()));
    fields.add("\"ratio\": " + row.ratio());
    fields.add("\"least\": " + row.leastRatio());
    fields.add("\"most\": " + row.mostRatio());
    fields.add("\"target\": " + quoted(row.figure().goal().text()));
    fields.add("\"met\": " + (row.hasTarget() ? Boolean.toString(row.isMet()) : "null"));
    fields.add("\"tidelog\": " + row.ours());
    fields.add("\"beside\": " + row.theirs());
    return fields.stream().collect(Collectors.joining(", ", "    {", "}"));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c < ' ') {
                quoted.append(' ');
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }
}
