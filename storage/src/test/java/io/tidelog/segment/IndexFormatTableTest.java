package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables in the documentation of the indexes are what the code does, and what the manual says.
 */
class IndexFormatTableTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "tidelog", "segment");
  private static final Path MANUAL = Path.of("..", "docs", "format.md");
  private static final Pattern ROW =
      Pattern.compile("^ \\*( +(\\d+) +(\\d+) +(\\w+) .*)$", Pattern.MULTILINE);

  @Test
  void the_offset_index_has_the_fields_of_its_table() throws IOException {
    assertThat(table("OffsetIndex"))
        .containsExactly(
            Map.entry(
                "relativeOffset",
                OffsetIndex.RELATIVE_OFFSET_AT + "+" + OffsetIndex.RELATIVE_OFFSET_SIZE),
            Map.entry("position", OffsetIndex.POSITION_AT + "+" + OffsetIndex.POSITION_SIZE));
    assertThat(OffsetIndex.ENTRY_BYTES)
        .isEqualTo(OffsetIndex.POSITION_AT + OffsetIndex.POSITION_SIZE);
  }

  @Test
  void the_time_index_has_the_fields_of_its_table() throws IOException {
    assertThat(table("TimeIndex"))
        .containsExactly(
            Map.entry("timestamp", TimeIndex.TIMESTAMP_AT + "+" + TimeIndex.TIMESTAMP_SIZE),
            Map.entry(
                "relativeOffset",
                TimeIndex.RELATIVE_OFFSET_AT + "+" + TimeIndex.RELATIVE_OFFSET_SIZE));
    assertThat(TimeIndex.ENTRY_BYTES)
        .isEqualTo(TimeIndex.RELATIVE_OFFSET_AT + TimeIndex.RELATIVE_OFFSET_SIZE);
  }

  @Test
  void the_index_of_aborted_transactions_has_the_fields_of_its_table() throws IOException {
    assertThat(table("TxnIndexWalk"))
        .containsExactly(
            field("version", TxnIndexWalk.VERSION_AT, TxnIndexWalk.PRODUCER_ID_AT),
            field("producerId", TxnIndexWalk.PRODUCER_ID_AT, TxnIndexWalk.FIRST_OFFSET_AT),
            field("firstOffset", TxnIndexWalk.FIRST_OFFSET_AT, TxnIndexWalk.LAST_OFFSET_AT),
            field("lastOffset", TxnIndexWalk.LAST_OFFSET_AT, TxnIndexWalk.LAST_STABLE_OFFSET_AT),
            field(
                "lastStableOffset", TxnIndexWalk.LAST_STABLE_OFFSET_AT, TxnIndexWalk.ENTRY_BYTES));
  }

  private static Map.Entry<String, String> field(String name, int at, int next) {
    return Map.entry(name, at + "+" + (next - at));
  }

  /** Place and size by field, each row of which stands in the manual too. */
  private static Map<String, String> table(String owner) throws IOException {
    String manual = Files.readString(MANUAL);
    Matcher row = ROW.matcher(Files.readString(SOURCES.resolve(owner + ".java")));
    Map<String, String> fields = new LinkedHashMap<>();
    while (row.find()) {
      assertThat(manual).contains(row.group(1));
      fields.put(row.group(4), row.group(2) + "+" + row.group(3));
    }
    return fields;
  }
}
