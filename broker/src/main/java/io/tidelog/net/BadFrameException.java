package io.tidelog.net;

/** What came in cannot be cut into frames; the message says what it looked like. */
final class BadFrameException extends Exception {

  BadFrameException(String message) {
    super(message, null, false, false);
  }
}
