package io.tidelog.protocol;

/** Makes text that a peer has sent fit for a log line: no control characters, and not too long. */
final class OneLine {
  private static final int MAX_CHARS = 300;

  private OneLine() {}

  static String of(String text) {
    String head = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "..." : text;
    return head.replaceAll("\\p{Cntrl}", "?");
  }
}
