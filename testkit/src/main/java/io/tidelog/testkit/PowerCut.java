package io.tidelog.testkit;

/**
 * The power is off: thrown by every call of a {@link SimDisk} from the cut on. An error rather than
 * an exception, so that code which handles a failing disk does not take it for one.
 */
public final class PowerCut extends Error {
  private static final long serialVersionUID = 1L;

  PowerCut(String message) {
    super(message);
  }
}
