package io.tidelog.bench.result;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a result depends on besides the programs that were measured: the machine, Java, the sources.
 */
public final class Surroundings {
  private Surroundings() {}

  /** All of it, by name. */
  public static Map<String, String> look(Path javaOfServers) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("commit", output("git", "describe", "--always", "--dirty", "--abbrev=12"));
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("processor", line(Path.of("/proc/cpuinfo"), "model name"));
    facts.put("memory", line(Path.of("/proc/meminfo"), "MemTotal"));
    facts.put("system", System.getProperty("os.name") + ' ' + System.getProperty("os.version"));
    facts.put("java of the servers", output(javaOfServers.toString(), "--version"));
    facts.put("java of the client", Runtime.version().toString());
    facts.put("load before", line(Path.of("/proc/loadavg"), ""));
    return facts;
  }

  private static String line(Path file, String start) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(start)) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return "unknown";
  }

  /** The first line that a command prints; "unknown" if it fails. */
  private static String output(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? all.lines().findFirst().orElse("unknown") : "unknown";
    } catch (IOException e) {
      return "unknown";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
