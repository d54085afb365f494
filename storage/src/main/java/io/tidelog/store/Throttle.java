package io.tidelog.store;

import java.time.InstantSource;

/** Spreads work over time so that it stays within a rate. Any number of threads. */
final class Throttle {
  private static final double MS_PER_SECOND = 1000;

  private final InstantSource clock;
  private final double bytesPerSecond;
  private double paidUntilMs;

  Throttle(InstantSource clock, double bytesPerSecond) {
    this.clock = clock;
    this.bytesPerSecond = bytesPerSecond;
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
