package io.tidelog.it.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What every client writes and reads back: records with and without keys, values and headers, in a
 * file with a line for each, so that programs in any language can read it. A field that is null is
 * written {@code \N}; headers are {@code name=value;}.
 */
final class Script {
  static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");

  private static final int RECORDS = 60;
  private static final long STEP_MS = 1_000;

  private Script() {}

  /** The records, one second apart, the last one just before a time. */
  static List<ScriptRecord> recordsBefore(long timeMs) {
    List<ScriptRecord> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      String key = i % 10 == 3 ? null : "key " + i;
      String value = i % 12 == 6 ? null : ("value " + i + " ßø€ ").repeat(1 + i % 7 * 5);
      records.add(new ScriptRecord(timeMs - (RECORDS - i) * STEP_MS, key, value, headers(i)));
    }
    return records;
  }

  private static Map<String, String> headers(int i) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (i % 3 > 0) {
      headers.put("number", Integer.toString(i));
    }
    if (i % 3 > 1) {
      headers.put("empty", "");
      headers.put("text", "héader " + i);
    }
    return headers;
  }

  static void write(Path file, List<ScriptRecord> records) throws IOException {
    Files.write(file, records.stream().map(ScriptRecord::line).toList());
  }

  static List<ScriptRecord> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(ScriptRecord::parse).toList();
  }
}
