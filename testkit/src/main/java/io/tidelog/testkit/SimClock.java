package io.tidelog.testkit;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. Times are milliseconds since the epoch. */
public final class SimClock implements InstantSource {
  /** Where a clock starts unless told: 2026-01-01T00:00:00Z. */
  public static final long START_MS = 1_767_225_600_000L;

  private final AtomicLong nowMs;

  public SimClock() {
    this(START_MS);
  }

  public SimClock(long nowMs) {
    this.nowMs = new AtomicLong(nowMs);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    return nowMs.get();
  }

  /** Moves the clock; a negative number moves it back. */
  public void advanceMs(long byMs) {
    nowMs.addAndGet(byMs);
  }
}
