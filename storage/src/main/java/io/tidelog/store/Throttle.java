package io.tidelog.store;

import java.time.InstantSource;

/** Spreads work over time so that it stays within a rate. Any number of threads. */
final class Throttle {
  private static final double MS_PER_SECOND = 1000;

  private final InstantSource clock;
  private volatile double bytesPerSecond;
  private double paidUntilMs;

  Throttle(InstantSource clock, double bytesPerSecond) {
    this.clock = clock;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Another rate, for what is done from now on; what was done before is paid for. */
  synchronized void limitTo(double bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
    paidUntilMs = 0;
  }

  /** Takes note of work that was done; how long to wait before the next. */
  synchronized long delayMs(long bytes) {
    double nowMs = clock.millis();
    paidUntilMs = Math.max(paidUntilMs, nowMs) + bytes * MS_PER_SECOND / bytesPerSecond;
    return (long) (paidUntilMs - nowMs);
  }

  /** How much to do at once, at most so much. */
  long piece(long mostBytes) {
    return (long) Math.max(1, Math.min((double) mostBytes, bytesPerSecond));
  }
}
