package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.server.util.timer.TimerTask;
import org.junit.jupiter.api.Test;

class ClockTimerTest {
  private final MovedTime time = new MovedTime();
  private final ClockTimer timer = new ClockTimer(new ClockTime(time), time);
  private final List<String> ran = new ArrayList<>();

  private final class Noted extends TimerTask {
    private final String name;

    Noted(String name, long delayMs) {
      super(delayMs);
      this.name = name;
    }

    @Override
    public void run() {
      ran.add(name);
    }
  }

  private Noted add(String name, long delayMs) {
    Noted task = new Noted(name, delayMs);
    timer.add(task);
    return task;
  }

  @Test
  void tasks_run_when_due_in_the_order_of_their_times() {
    add("late", 300);
    add("early", 100);
    add("middle", 200);
    time.advanceMs(99);
    assertThat(ran).isEmpty();
    time.advanceMs(1);
    assertThat(ran).containsExactly("early");
    time.advanceMs(1_000);
    assertThat(ran).containsExactly("early", "middle", "late");
    assertThat(timer.size()).isZero();
  }

  @Test
  void a_task_without_a_delay_runs_at_once() {
    add("now", 0);
    time.advanceMs(0);
    assertThat(ran).containsExactly("now");
  }

  @Test
  void a_cancelled_task_does_not_run_and_one_added_again_runs_at_its_new_time_only() {
    add("cancelled", 100).cancel();
    Noted again = add("again", 100);
    time.advanceMs(50);
    timer.add(again);
    time.advanceMs(99);
    assertThat(ran).isEmpty();
    time.advanceMs(1);
    assertThat(ran).containsExactly("again");
  }

  @Test
  void a_task_that_fails_keeps_no_other_from_running() {
    timer.add(
        new TimerTask(10) {
          @Override
          public void run() {
            throw new IllegalStateException("meant to fail");
          }
        });
    add("other", 10);
    add("later", 20);
    time.advanceMs(20);
    assertThat(ran).containsExactly("other", "later");
  }

  @Test
  void cancelled_tasks_take_no_more_memory_than_a_fixed_multiple_of_those_that_wait() {
    int most = 0;
    Noted session = add("session", 45_000);
    for (int heartbeat = 0; heartbeat < 100_000; heartbeat++) {
      session.cancel();
      session = add("session", 45_000);
      most = Math.max(most, timer.size());
    }
    assertThat(most).isLessThan(2_000);
    assertThat(time.waitingCount()).isLessThan(2_000);
    time.advanceMs(45_000);
    assertThat(ran).containsExactly("session");
  }

  @Test
  void a_clock_that_is_set_back_holds_up_no_task() {
    add("before", 100);
    time.setBackMs(3_600_000);
    add("after", 200);
    time.advanceMs(100);
    assertThat(ran).containsExactly("before");
    time.advanceMs(100);
    assertThat(ran).containsExactly("before", "after");
  }

  @Test
  void a_closed_timer_runs_nothing() {
    add("waiting", 10);
    timer.close();
    add("new", 10);
    time.advanceMs(100);
    assertThat(ran).isEmpty();
  }
}
