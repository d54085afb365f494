package io.tidelog.recovery;

import java.io.IOException;

/**
 * Nobody can tell where a log begins: what was deleted could be shown, or what was not be removed.
 * Nothing was changed. Other logs are not concerned.
 */
public abstract class UntrustedStartException extends IOException {
  private static final long serialVersionUID = 1L;

  UntrustedStartException(String message) {
    super(message);
  }
}
