package io.tidelog.bench.wire;

import java.io.IOException;
import org.apache.kafka.common.protocol.Errors;

/** The broker has answered with an error, or with something else than was expected. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1;

  /** Something unexpected. */
  public RefusedException(String message) {
    super(message);
  }

  private RefusedException(String what, Errors error, String message) {
    super(what + " was answered with " + error + (message == null ? "" : ": " + message));
  }

  /** Nothing if the code says that all is well. */
  static void throwIfError(String what, short code, String message) throws RefusedException {
    if (code != Errors.NONE.code()) {
      throw new RefusedException(what, Errors.forCode(code), message);
    }
  }
}
