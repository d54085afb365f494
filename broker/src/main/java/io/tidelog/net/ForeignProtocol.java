package io.tidelog.net;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Guesses what a peer speaks that does not speak Kafka, from the first four bytes, which should
 * have been a length.
 */
final class ForeignProtocol {
  private static final Set<String> HTTP_METHODS =
      Set.of("GET ", "POST", "PUT ", "HEAD", "OPTI", "DELE", "PATC", "CONN", "TRAC", "PRI ");
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int TLS_MAJOR_VERSION = 3;

  private ForeignProtocol() {}

  /** "an HTTP request" or the like; null if the bytes say nothing. */
  static String guess(int firstFourBytes) {
    if (firstFourBytes >>> 24 == TLS_HANDSHAKE
        && (firstFourBytes >>> 16 & 0xff) == TLS_MAJOR_VERSION) {
      return "a TLS handshake";
    }
    String text = text(firstFourBytes);
    if (HTTP_METHODS.contains(text)) {
      return "an HTTP request (\"" + text.trim() + "\")";
    }
    return text.equals("SSH-") ? "an SSH greeting" : null;
  }

  private static String text(int bytes) {
    byte[] letters = {
      (byte) (bytes >>> 24), (byte) (bytes >>> 16), (byte) (bytes >>> 8), (byte) bytes
    };
    return new String(letters, StandardCharsets.ISO_8859_1);
  }
}
