package io.tidelog.bench.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The options that Kafka's own scripts give to each JVM that they start. */
public final class KafkaJvm {
  private static final List<String> ALWAYS =
      List.of(
          "-server",
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:+ExplicitGCInvokesConcurrent",
          "-XX:MaxInlineLevel=15",
          "-Djava.awt.headless=true");

  private KafkaJvm() {}

  /**
   * All of them.
   *
   * @param heap those about the heap, which the script for each program chooses
   */
  public static List<String> options(String... heap) {
    List<String> options = new ArrayList<>(List.of(heap));
    options.addAll(ALWAYS);
    return Collections.unmodifiableList(options);
  }
}
