package io.tidelog.net;

/**
 * How fast a frame arrives. A peer that sends a byte now and then never stands still, but may hold
 * megabytes with it for ever; while others wait for memory each frame has to bring {@value
 * #LEAST_BYTES} bytes, or end, within ten seconds.
 */
final class FramePace {
  private static final long PERIOD_NANOS = 10_000_000_000L;
  private static final int LEAST_BYTES = 64 << 10;

  private long sinceNanos;
  private long bytes;

  FramePace(long nowNanos) {
    this.sinceNanos = nowNanos;
  }

  /** Another frame has begun, or this one may go on. */
  void restart(long nowNanos) {
    sinceNanos = nowNanos;
    bytes = 0;
  }

  void received(int more, long nowNanos) {
    bytes += more;
    if (bytes >= LEAST_BYTES) {
      restart(nowNanos);
    }
  }

  boolean isTooSlow(long nowNanos) {
    return nowNanos - sinceNanos > PERIOD_NANOS;
  }
}
