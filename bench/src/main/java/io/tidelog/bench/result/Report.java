package io.tidelog.bench.result;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What one run measured: each row is printed as soon as it is known, all are written down. */
public final class Report {
  private final Map<String, String> facts;
  private final List<Comparison> rows = new ArrayList<>();

  private Report(Map<String, String> facts) {
    this.facts = facts;
  }

  /**
   * Begins one: prints what its figures depend on.
   *
   * @param java that of the servers, or of Kafka's tools
   * @param plan what is done, how often
   */
  public static Report begin(Path java, String plan) throws IOException {
    Map<String, String> facts = Surroundings.look(java);
    facts.put("plan", plan);
    facts.forEach((name, value) -> System.out.println(name + ": " + value));
    System.out.println("\n" + Table.head());
    return new Report(facts);
  }

  /** Adds a row. */
  public void add(Comparison row) {
    System.out.println(Table.row(row));
    rows.add(row);
  }

  /** Whether it has no row. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * Writes it down under the time of this moment.
   *
   * @param kind the end of the files' names
   */
  public void write(Path folder, String kind) throws IOException {
    String now =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT)
            .format(LocalDateTime.now(ZoneOffset.UTC));
    Path stem = folder.resolve(now + "-" + kind);
    ResultFile.write(stem, facts, rows);
    System.out.println("\nwritten to " + stem + ".md and .json");
  }
}
