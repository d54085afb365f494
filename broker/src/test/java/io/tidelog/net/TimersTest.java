package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.protocol.EventLoop.Timeout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimersTest {
  private static final long MS = 1_000_000;

  /** Close to where nanoseconds overflow: only differences may be compared. */
  private static final long START = Math.subtractExact(Long.MAX_VALUE, 5 * MS);

  private final Timers timers = new Timers();
  private final List<String> ran = new ArrayList<>();

  @Test
  void tasks_run_in_the_order_of_their_times_and_never_early() {
    timers.schedule(() -> ran.add("late"), 20, START);
    timers.schedule(() -> ran.add("soon"), 10, START);
    timers.schedule(() -> ran.add("soon too"), 10, START);
    timers.schedule(() -> ran.add("now"), -5, START);
    expire(START);
    assertThat(ran).containsExactly("now");
    expire(START + 10 * MS - 1);
    assertThat(ran).containsExactly("now");
    assertThat(timers.delayNanos(START + 10 * MS - 1)).isEqualTo(1);
    expire(START + 10 * MS);
    assertThat(ran).containsExactly("now", "soon", "soon too");
    assertThat(timers.delayNanos(START + 50 * MS)).isZero();
    expire(START + 50 * MS);
    assertThat(ran).containsExactly("now", "soon", "soon too", "late");
    assertThat(timers.delayNanos(START)).isEqualTo(-1);
  }

  @Test
  void a_cancelled_task_does_not_run_and_is_not_waited_for() {
    Timeout first = timers.schedule(() -> ran.add("first"), 10, START);
    timers.schedule(() -> ran.add("second"), 20, START);
    first.cancel();
    first.cancel();
    assertThat(timers.delayNanos(START)).isEqualTo(20 * MS);
    expire(START + 30 * MS);
    first.cancel();
    assertThat(ran).containsExactly("second");
  }

  @Test
  void a_task_may_add_and_cancel_others() {
    Timeout doomed = timers.schedule(() -> ran.add("doomed"), 10, START);
    timers.schedule(
        () -> {
          doomed.cancel();
          timers.schedule(() -> ran.add("added"), 0, START);
        },
        5,
        START);
    expire(START + 10 * MS);
    assertThat(ran).containsExactly("added");
  }

  @Test
  void the_longest_wait_can_be_asked_for() {
    timers.schedule(() -> ran.add("never"), Long.MAX_VALUE, START);
    timers.schedule(() -> ran.add("soon"), 1, START);
    expire(START + MS);
    assertThat(ran).containsExactly("soon");
  }

  @Test
  void any_mix_of_adding_and_cancelling_runs_exactly_what_is_due() {
    long seed = 7;
    Random random = new Random(seed);
    List<Timeout> waiting = new ArrayList<>();
    int[] expected = {0};
    int[] happened = {0};
    for (int i = 0; i < 10_000; i++) {
      boolean isDoomed = random.nextInt(10) > 0;
      Timeout timeout = timers.schedule(() -> happened[0]++, random.nextInt(500), START);
      if (isDoomed) {
        waiting.add(timeout);
      } else {
        expected[0]++;
      }
      if (waiting.size() > 300) {
        waiting.remove(random.nextInt(waiting.size())).cancel();
      }
    }
    waiting.forEach(Timeout::cancel);
    expire(START + 500 * MS);
    assertThat(happened[0]).as("seed %d", seed).isEqualTo(expected[0]);
  }

  private void expire(long nowNanos) {
    timers.expire(nowNanos, Runnable::run);
  }
}
