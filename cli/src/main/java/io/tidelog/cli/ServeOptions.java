package io.tidelog.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code tidelog serve} was told.
 *
 * @param data the data directory, or null
 * @param listen host and port, or null
 * @param config file of settings, or null
 * @param set settings by name
 */
record ServeOptions(String data, String listen, String config, Map<String, String> set) {
  private static final String SERVE = "serve";

  /**
   * Reads a command line that needs no parser: {@code serve}, then known options, each once, as
   * {@code --name value}. The parser takes longer to load than a broker takes to start, see
   * docs/decisions; it gets everything that is not as plain as this, above all what is wrong.
   *
   * @return what the parser would find, or nothing
   */
  static Optional<ServeOptions> ofPlain(String... args) {
    if (args.length % 2 == 0 || !args[0].equals(SERVE)) {
      return Optional.empty();
    }
    Map<String, String> found = new LinkedHashMap<>();
    Map<String, String> set = new LinkedHashMap<>();
    for (int i = 1; i < args.length; i += 2) {
      String value = args[i + 1];
      if (!isPlain(value) || !isTaken(args[i], value, found, set)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new ServeOptions(found.get("--data"), found.get("--listen"), found.get("--config"), set));
  }

  /** Whether no rule of the parser about quotes, options or files of arguments can apply. */
  private static boolean isPlain(String value) {
    return !value.isEmpty() && "-@".indexOf(value.charAt(0)) < 0 && value.indexOf('"') < 0;
  }

  private static boolean isTaken(
      String option, String value, Map<String, String> found, Map<String, String> set) {
    switch (option) {
      case "--data", "--listen", "--config":
        return found.put(option, value) == null;
      case "--set":
        int equals = value.indexOf('=');
        return equals > 0
            && set.put(value.substring(0, equals), value.substring(equals + 1)) == null;
      default:
        return false;
    }
  }
}
