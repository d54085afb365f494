package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FramePaceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long SHORT = 100_000;
  private static final long LONG = 50 << 20;

  private final FramePace pace = new FramePace(0);

  /** Asks twice, a second apart. */
  private boolean isTooSlow(long atSecond, long announcedBytes) {
    boolean first = pace.isTooSlow(atSecond * SECOND, announcedBytes);
    return pace.isTooSlow((atSecond + 1) * SECOND, announcedBytes) || first;
  }

  @Test
  void a_frame_that_stands_still_is_too_slow_after_ten_seconds() {
    pace.received(60_000, 0);
    assertThat(isTooSlow(9, SHORT)).isFalse();
    assertThat(isTooSlow(11, SHORT)).isTrue();
  }

  @Test
  void single_bytes_do_not_count_as_progress() {
    pace.received(60_000, 0);
    for (int second = 1; second <= 11; second++) {
      pace.received(1, second * SECOND);
    }
    assertThat(isTooSlow(11, SHORT)).isTrue();
  }

  @Test
  void enough_bytes_or_another_frame_begin_the_time_anew() {
    pace.received(40_000, 5 * SECOND);
    pace.received(40_000, 9 * SECOND);
    assertThat(isTooSlow(18, SHORT)).isFalse();
    pace.restart(19 * SECOND);
    pace.received(60_000, 19 * SECOND);
    assertThat(isTooSlow(28, SHORT)).isFalse();
    assertThat(isTooSlow(30, SHORT)).isTrue();
  }

  @Test
  void a_frame_that_would_take_minutes_is_too_slow_although_it_goes_on() {
    for (int second = 0; second < 3; second++) {
      pace.received(100_000, second * SECOND);
    }
    assertThat(pace.isTooSlow(SECOND, LONG)).as("it has just begun").isFalse();
    assertThat(isTooSlow(3, LONG)).isTrue();
    assertThat(isTooSlow(3, 2_000_000)).as("a shorter one comes in time").isFalse();
  }

  @Test
  void one_that_catches_up_before_it_is_looked_at_again_is_spared() {
    assertThat(pace.isTooSlow(5 * SECOND, LONG)).isFalse();
    pace.received(20 << 20, 5 * SECOND);
    assertThat(pace.isTooSlow(6 * SECOND, LONG)).isFalse();
    assertThat(pace.isTooSlow(7 * SECOND, LONG)).isFalse();
  }

  @Test
  void the_wait_for_memory_does_not_count_and_does_not_excuse() {
    pace.received(10 << 20, SECOND);
    pace.pause(3 * SECOND);
    assertThat(isTooSlow(60, LONG)).as("it came fast").isFalse();
    pace.resume(60 * SECOND);
    assertThat(isTooSlow(61, LONG)).isFalse();

    pace.restart(100 * SECOND);
    pace.received(1_000, 100 * SECOND);
    pace.pause(103 * SECOND);
    assertThat(isTooSlow(104, LONG)).as("it came slowly").isTrue();
  }
}
