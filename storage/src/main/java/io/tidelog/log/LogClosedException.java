package io.tidelog.log;

/** The log was closed or deleted, or an earlier failure of the disk closed it for writing. */
public final class LogClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
