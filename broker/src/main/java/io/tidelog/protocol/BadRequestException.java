package io.tidelog.protocol;

/**
 * A frame that is no request we can serve; the message says what it was. There is no way to answer
 * it in a form that the sender would understand, so the connection is closed.
 */
public final class BadRequestException extends Exception {

  public BadRequestException(String message) {
    super(message, null, false, false);
  }
}
