package io.tidelog.log;

/** An offset below the log start offset or above the last one that may be asked for. */
public final class OffsetOutOfRangeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OffsetOutOfRangeException(String log, long offset, long start, long bound) {
    super(log + " has offsets " + start + " to " + bound + ", not " + offset);
  }
}
