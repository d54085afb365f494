package io.tidelog.log;

/**
 * A bug of ours: something that the code promises does not hold. The log that met it closes itself.
 */
public final class BrokenInvariant extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private BrokenInvariant(String message) {
    super(message);
  }

  static void check(boolean holds, String promise, long found, long bound) {
    if (!holds) {
      throw new BrokenInvariant(promise + ": " + found + " and " + bound);
    }
  }
}
