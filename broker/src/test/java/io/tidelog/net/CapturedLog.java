package io.tidelog.net;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Keeps what is logged while it is open; the tests' logger writes to standard error. */
final class CapturedLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private CapturedLog() {}

  static CapturedLog start() {
    CapturedLog log = new CapturedLog();
    System.setErr(new PrintStream(log.bytes, true, StandardCharsets.UTF_8));
    return log;
  }

  /** The lines logged so far that hold this text. */
  List<String> linesWith(String text) {
    return bytes
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(text))
        .toList();
  }

  /** The lines logged so far about this client. */
  List<String> linesAbout(RawClient client) {
    return linesWith("127.0.0.1:" + client.localPort());
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
