package io.tidelog.net;

/**
 * How fast a frame arrives. A peer that sends a little now and then never stands still, but may
 * hold memory with it for ever. While others wait for memory each frame has to bring {@value
 * #LEAST_BYTES} bytes, or end, within ten seconds; and it has to come so fast that all of it would
 * be there within thirty seconds, when clients have given it up. The time in which it waits for
 * memory itself does not count.
 */
final class FramePace {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long PERIOD_NANOS = 10 * SECOND_NANOS;
  private static final long WHOLE_FRAME_NANOS = 30 * SECOND_NANOS;

  /** So long a frame has to show how fast it is. */
  private static final long SHOWN_NANOS = 2 * SECOND_NANOS;

  /** One that is found too slow gets so long, as this side may have been the one that paused. */
  private static final long BENEFIT_NANOS = SECOND_NANOS / 2;

  private static final int LEAST_BYTES = 64 << 10;

  private long sinceNanos;
  private long bytes;
  private long beganNanos;
  private long frameBytes;
  private long foundSlowNanos;
  private boolean isFoundSlow;
  private long pausedNanos;
  private boolean isPaused;

  FramePace(long nowNanos) {
    restart(nowNanos);
  }

  /** Another frame has begun. */
  void restart(long nowNanos) {
    sinceNanos = nowNanos;
    bytes = 0;
    beganNanos = nowNanos;
    frameBytes = 0;
    isFoundSlow = false;
    isPaused = false;
  }

  void received(int more, long nowNanos) {
    frameBytes += more;
    bytes += more;
    if (bytes >= LEAST_BYTES) {
      sinceNanos = nowNanos;
      bytes = 0;
    }
  }

  /** No more of it is read. */
  void pause(long nowNanos) {
    pausedNanos = nowNanos;
    isPaused = true;
  }

  /** It is read again. */
  void resume(long nowNanos) {
    if (isPaused) {
      sinceNanos += nowNanos - pausedNanos;
      beganNanos += nowNanos - pausedNanos;
      isPaused = false;
    }
  }

  /**
   * Whether it was too slow when this was last asked, a while ago, and is still.
   *
   * @param announcedBytes how long the frame is to be
   */
  boolean isTooSlow(long nowNanos, long announcedBytes) {
    if (!isBehind(isPaused ? pausedNanos : nowNanos, announcedBytes)) {
      isFoundSlow = false;
      return false;
    }
    if (!isFoundSlow) {
      isFoundSlow = true;
      foundSlowNanos = nowNanos;
    }
    return nowNanos - foundSlowNanos >= BENEFIT_NANOS;
  }

  private boolean isBehind(long nowNanos, long announcedBytes) {
    long ageNanos = nowNanos - beganNanos;
    boolean bringsLittle = nowNanos - sinceNanos > PERIOD_NANOS;
    boolean takesTooLong =
        ageNanos > SHOWN_NANOS
            && (double) frameBytes * WHOLE_FRAME_NANOS < (double) announcedBytes * ageNanos;
    return bringsLittle || takesTooLong;
  }
}
