package io.tidelog.it;

import io.tidelog.cli.Tidelog;
import io.tidelog.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A finding, as {@code tidelog verify --json} tells it.
 *
 * @param severity note, warning or damage
 * @param code what it is
 * @param file where, below the data directory
 * @param position the byte at which it begins
 */
record Told(String severity, String code, String file, long position) {
  private static final Pattern ROW =
      Pattern.compile(
          "\"severity\":\"(\\w+)\",\"code\":\"([\\w-]+)\",\"file\":\"([^\"]+)\",\"position\":(\\d+)");

  /** What a command printed, and how it ended. */
  record Ended(int code, String output) {}

  /** All that is found in a data directory. */
  static List<Told> by(Path data, String... options) {
    List<String> words = new ArrayList<>(List.of("verify", "--json"));
    words.addAll(List.of(options));
    words.add(data.toString());
    List<Told> told = new ArrayList<>();
    Matcher row = ROW.matcher(run(words.toArray(new String[0])).output());
    while (row.find()) {
      String file = data.relativize(Path.of(row.group(3))).toString();
      told.add(new Told(row.group(1), row.group(2), file, Long.parseLong(row.group(4))));
    }
    return told;
  }

  boolean isHarmful() {
    return !severity.equals("note");
  }

  /** Runs one of Tidelog's commands here. */
  static Ended run(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, false, StandardCharsets.UTF_8);
    Streams streams =
        new Streams(
            new ByteArrayInputStream(new byte[0]),
            printed,
            System.err,
            Streams.ErrorOutput.REDIRECTED);
    int code = Tidelog.run(streams, action -> {}, words);
    printed.flush();
    return new Ended(code, out.toString(StandardCharsets.UTF_8));
  }
}
