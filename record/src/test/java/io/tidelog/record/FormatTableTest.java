package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The table in the documentation of {@link RecordBatch} is the format; the constants must say the
 * same.
 */
class FormatTableTest {
  private static final Path SOURCE =
      Path.of("src", "main", "java", "io", "tidelog", "record", "RecordBatch.java");
  private static final Pattern ROW =
      Pattern.compile("^ \\*\\s+(\\d+)\\s+(\\d+|…)\\s+(\\w+)", Pattern.MULTILINE);

  private record Place(int at, int size) {}

  @Test
  void every_row_of_the_table_is_a_constant_and_every_constant_a_row()
      throws IOException, IllegalAccessException {
    Map<String, Place> documented = table();
    assertThat(documented).hasSize(13);
    assertThat(constants()).isEqualTo(documented);
  }

  @Test
  void fields_follow_each_other_without_a_gap() throws IOException {
    int end = 0;
    for (Place place :
        table().values().stream().sorted((a, b) -> Integer.compare(a.at(), b.at())).toList()) {
      assertThat(place.at()).isEqualTo(end);
      end = place.at() + place.size();
    }
    assertThat(end).isEqualTo(RecordBatch.HEADER_BYTES);
  }

  @Test
  void the_length_counts_what_follows_it() throws IOException {
    Place length = table().get("BATCH_LENGTH");
    assertThat(length.at() + length.size()).isEqualTo(RecordBatch.LOG_OVERHEAD_BYTES);
  }

  @Test
  void the_manual_has_the_same_table() throws IOException {
    String source = Files.readString(SOURCE);
    String manual = Files.readString(Path.of("..", "docs", "format.md"));
    int rows = 0;
    Matcher row =
        Pattern.compile("^ \\*( +\\d+ +(\\d+|…) +\\w+.*)$", Pattern.MULTILINE).matcher(source);
    while (row.find()) {
      assertThat(manual).contains(row.group(1).stripTrailing());
      rows++;
    }
    assertThat(rows).isEqualTo(14);
  }

  private static Map<String, Place> table() throws IOException {
    Map<String, Place> rows = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(SOURCE));
    while (row.find()) {
      if (!row.group(2).equals("…")) {
        rows.put(
            constantName(row.group(3)),
            new Place(Integer.parseInt(row.group(1)), Integer.parseInt(row.group(2))));
      }
    }
    return rows;
  }

  private static Map<String, Place> constants() throws IllegalAccessException {
    Map<String, Place> places = new TreeMap<>();
    for (Field field : RecordBatch.class.getFields()) {
      String name = field.getName();
      if (name.endsWith("_AT")) {
        String fieldName = name.substring(0, name.length() - "_AT".length());
        places.put(fieldName, new Place(field.getInt(null), sizeOf(fieldName)));
      }
    }
    return places;
  }

  private static int sizeOf(String fieldName) throws IllegalAccessException {
    for (Field field : RecordBatch.class.getFields()) {
      if (field.getName().equals(fieldName + "_SIZE")) {
        return field.getInt(null);
      }
    }
    throw new AssertionError(fieldName + "_SIZE is missing");
  }

  private static String constantName(String fieldName) {
    return fieldName.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }
}
