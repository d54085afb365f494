package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FramePaceTest {
  private static final long SECOND = 1_000_000_000L;

  private final FramePace pace = new FramePace(0);

  @Test
  void a_frame_that_stands_still_is_too_slow_after_ten_seconds() {
    assertThat(pace.isTooSlow(10 * SECOND)).isFalse();
    assertThat(pace.isTooSlow(11 * SECOND)).isTrue();
  }

  @Test
  void single_bytes_do_not_count_as_progress() {
    for (int second = 1; second <= 11; second++) {
      pace.received(1, second * SECOND);
    }
    assertThat(pace.isTooSlow(11 * SECOND)).isTrue();
  }

  @Test
  void enough_bytes_or_another_frame_begin_the_time_anew() {
    pace.received(40_000, 5 * SECOND);
    pace.received(40_000, 9 * SECOND);
    assertThat(pace.isTooSlow(19 * SECOND)).isFalse();
    pace.restart(19 * SECOND);
    assertThat(pace.isTooSlow(29 * SECOND)).isFalse();
    assertThat(pace.isTooSlow(30 * SECOND)).isTrue();
  }
}
