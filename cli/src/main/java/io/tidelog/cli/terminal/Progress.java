package io.tidelog.cli.terminal;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says on one line of the terminal, about three times a second, how far long work is. Silent if
 * nobody looks, or if the work is done within the first second. For one thread.
 */
public final class Progress implements AutoCloseable {
  private static final long FIRST_AFTER_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final String ERASE_LINE = "\r\033[K";

  private final PrintStream err;
  private final Streams.ErrorOutput errors;
  private final LongSupplier nanoClock;
  private final String unit;
  private long nextNs;
  private boolean isShown;

  private Progress(Streams streams, LongSupplier nanoClock, String unit) {
    this.err = streams.err();
    this.errors = streams.errors();
    this.nanoClock = nanoClock;
    this.unit = unit;
    this.nextNs = nanoClock.getAsLong() + FIRST_AFTER_NS;
  }

  /**
   * Starts counting.
   *
   * @param unit what is counted, in the plural
   */
  public static Progress of(Streams streams, String unit) {
    return of(streams, System::nanoTime, unit);
  }

  static Progress of(Streams streams, LongSupplier nanoClock, String unit) {
    return new Progress(streams, nanoClock, unit);
  }

  /** So much is done. */
  public void at(long done) {
    if (isDue()) {
      show("%,d %s".formatted(done, unit));
    }
  }

  /** So much of so much is done. */
  public void at(long done, long total) {
    if (isDue()) {
      show("%,d of %,d %s (%d %%)".formatted(done, total, unit, percent(done, total)));
    }
  }

  private static long percent(long done, long total) {
    return total <= 0 ? 100 : (long) (100.0 * done / total);
  }

  private boolean isDue() {
    if (errors == Streams.ErrorOutput.REDIRECTED) {
      return false;
    }
    long now = nanoClock.getAsLong();
    if (now - nextNs < 0) {
      return false;
    }
    nextNs = now + EVERY_NS;
    return true;
  }

  private void show(String text) {
    err.print(ERASE_LINE + text);
    err.flush();
    isShown = true;
  }

  /** Takes the line away. */
  @Override
  public void close() {
    if (isShown) {
      err.print(ERASE_LINE);
      err.flush();
    }
  }
}
