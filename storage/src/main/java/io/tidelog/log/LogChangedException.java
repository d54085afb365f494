package io.tidelog.log;

import java.io.IOException;

/** A log was cut or lost segments while it was being rewritten: what was prepared is of no use. */
public final class LogChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  public LogChangedException(String message) {
    super(message);
  }
}
