package io.tidelog.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tables in the documentation of {@link ProducerSnapshot} are the format: they are laid over a
 * file that Kafka wrote.
 */
class SnapshotFormatTableTest {
  private static final Path SOURCE =
      Path.of("src", "main", "java", "io", "tidelog", "producer", "ProducerSnapshot.java");
  private static final Pattern ROW =
      Pattern.compile("^ \\*( +(\\d+) +(\\d+|…) +(\\w+).*)$", Pattern.MULTILINE);

  @TempDir Path folder;
  private ByteBuffer file;

  private record Row(String text, int at, int size, String field) {}

  @BeforeEach
  void written_by_kafka() throws IOException {
    Path path = folder.resolve("00000000000000000042.snapshot");
    ProducerStateManager.writeSnapshot(
        path.toFile(),
        Map.of(
            0x1122334455667788L,
            new ProducerStateEntry(
                0x1122334455667788L, (short) 0x1234, 0x21222324, 987654321L, OptionalLong.of(77))),
        false);
    file = ByteBuffer.wrap(Files.readAllBytes(path));
  }

  private static List<Row> rows() throws IOException {
    Matcher matcher = ROW.matcher(Files.readString(SOURCE));
    return Stream.iterate(matcher.find(), found -> found, found -> matcher.find())
        .map(
            found ->
                new Row(
                    matcher.group(1).stripTrailing(),
                    Integer.parseInt(matcher.group(2)),
                    matcher.group(3).equals("…") ? 0 : Integer.parseInt(matcher.group(3)),
                    matcher.group(4)))
        .toList();
  }

  @Test
  void each_field_stands_where_the_table_says() throws IOException {
    Map<String, Long> fields = new LinkedHashMap<>();
    int table = 0;
    int end = 0;
    for (Row row : rows()) {
      if (row.at() == 0 && end > 0) {
        table = end;
        end = 0;
      }
      assertThat(row.at()).as(row.field()).isEqualTo(end);
      end += row.size();
      fields.put(row.field(), number(table + row.at(), row.size()));
    }
    assertThat(table).isEqualTo(ProducerSnapshot.HEADER_BYTES);
    assertThat(end).isEqualTo(ProducerSnapshot.ENTRY_BYTES);
    assertThat(fields)
        .containsEntry("version", 1L)
        .containsEntry("count", 1L)
        .containsEntry("producerId", 0x1122334455667788L)
        .containsEntry("epoch", 0x1234L)
        .containsEntry("lastSequence", -1L)
        .containsEntry("lastOffset", -1L)
        .containsEntry("offsetDelta", 0L)
        .containsEntry("timestamp", 987654321L)
        .containsEntry("coordinatorEpoch", 0x21222324L)
        .containsEntry("currentTxnFirstOffset", 77L)
        .hasSize(12);
  }

  private long number(int at, int size) {
    return switch (size) {
      case 0 -> 0;
      case 2 -> file.getShort(at);
      case 4 -> file.getInt(at);
      case 8 -> file.getLong(at);
      default -> throw new AssertionError("a field of " + size + " bytes");
    };
  }

  @Test
  void the_manual_has_the_same_tables() throws IOException {
    String manual = Files.readString(Path.of("..", "docs", "format.md"));
    assertThat(rows()).hasSize(12).allSatisfy(row -> assertThat(manual).contains(row.text()));
  }
}
