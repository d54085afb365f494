package io.tidelog.log;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A client's append was refused before anything was written, because what is free on the file
 * system is kept for work that frees some. It may be sent again.
 */
public final class NoRoomException extends IOException {
  private static final long serialVersionUID = 1L;

  public NoRoomException(Path directory, String reason) {
    super("nothing is appended in " + directory + " for now: " + reason);
  }

  /** It is thrown for each request that comes meanwhile, always from the same place. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
