package io.tidelog.it.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Kafka's Java client through its rows, as a program of its own: it runs with the jars of any
 * release from 0.11 on. Arguments: the address of a broker, a prefix for the names of topics and
 * groups, the script's file, and the rows to go through. A row that passed is a line {@code ok
 * ROW}; the first that fails ends the program.
 */
public final class JavaRows {
  /** Passes, or throws what is wrong. */
  interface Row {
    void pass() throws Exception;
  }

  private JavaRows() {}

  /** Goes through the rows that are asked for. */
  public static void main(String[] args) throws Exception {
    JavaClient client = new JavaClient(args[0], args[1]);
    List<ScriptRecord> script = Script.read(Path.of(args[2]));
    System.out.println("client java " + version());
    Map<String, Row> rows = rows(client, script);
    for (String row : Arrays.copyOfRange(args, 3, args.length)) {
      rows.get(row).pass();
      System.out.println("ok " + row);
    }
    // Ends the program also where an old client leaves a thread.
    System.exit(0);
  }

  private static String version() throws IOException {
    Properties properties = new Properties();
    try (InputStream file = JavaRows.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      properties.load(file);
    }
    return properties.getProperty("version");
  }

  private static Map<String, Row> rows(JavaClient client, List<ScriptRecord> script) {
    JavaDataRows data = new JavaDataRows(client, script);
    JavaAdminRows admin = new JavaAdminRows(client);
    JavaGroupRows groups = new JavaGroupRows(client);
    JavaTransactionRows transactions = new JavaTransactionRows(client);
    Map<String, Row> rows = new TreeMap<>();
    for (String codec : Script.CODECS) {
      rows.put("produce-" + codec, () -> data.produce(codec));
    }
    rows.put("metadata", admin::metadata);
    rows.put("tombstones", data::tombstones);
    rows.put("seek-by-time", data::seekByTime);
    rows.put("group", () -> groups.rebalance(Map.of()));
    rows.put("group-kip848", () -> groups.rebalance(Map.of("group.protocol", "consumer")));
    rows.put("group-admin", groups::admin);
    rows.put("transactions", transactions::commitAbortAndFence);
    rows.put("topics", admin::topics);
    rows.put("configs", admin::configs);
    rows.put("partitions", () -> JavaNewerAdminRows.partitions(client));
    rows.put("delete-records", () -> JavaNewerAdminRows.deleteRecords(client));
    return rows;
  }
}
