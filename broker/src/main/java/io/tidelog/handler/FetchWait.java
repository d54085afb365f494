package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A fetch that waits for records: until there are enough of them, something is to be told at once,
 * or its time is over. It holds no slices meanwhile. Runs on one event loop; {@link #logMoved} and
 * {@link #hurry} come from any thread.
 */
final class FetchWait {
  private final Fetch fetch;
  private final ParkedFetches parked;
  private final EventLoop loop;
  private final Answer answer;
  private final AtomicBoolean isLookDue = new AtomicBoolean();
  private EventLoop.Timeout timeout;
  private boolean over;

  private FetchWait(Fetch fetch, ParkedFetches parked, EventLoop loop, Answer answer) {
    this.fetch = fetch;
    this.parked = parked;
    this.loop = loop;
    this.answer = answer;
  }

  /** Answers now if there is reason to, else later. */
  static void start(Fetch fetch, ParkedFetches parked, EventLoop loop, Answer answer) {
    FetchPass pass = fetch.read();
    if (pass.suffices() || fetch.maxWaitMs() <= 0 || fetch.isEmpty()) {
      answer.complete(fetch.end(pass));
    } else {
      pass.discard();
      new FetchWait(fetch, parked, loop, answer).park();
    }
  }

  private void park() {
    timeout = loop.schedule(this::answerNow, fetch.maxWaitMs());
    parked.add(this);
    answer.whenAbandoned(this::abandon);
    fetch.partitions().await(this);
    look();
  }

  /**
   * One of the logs has moved. Moves that come before the fetch has looked make one look together,
   * so that a batch of appends wakes it once.
   */
  void logMoved() {
    if (isLookDue.compareAndSet(false, true)) {
      onLoop(
          () -> {
            isLookDue.set(false);
            look();
          });
    }
  }

  /** Has the fetch answer with what there is. */
  void hurry() {
    onLoop(this::answerNow);
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException ended) {
      // The loop has ended, and the connection with it.
    }
  }

  private void look() {
    if (over) {
      return;
    }
    FetchPass pass = fetch.readAndWatch();
    if (pass.suffices() || parked.isClosed()) {
      finish(pass);
    } else {
      pass.discard();
    }
  }

  private void answerNow() {
    if (!over) {
      finish(fetch.read());
    }
  }

  private void finish(FetchPass pass) {
    stop();
    answer.complete(fetch.end(pass));
  }

  private void abandon() {
    stop();
    fetch.drop();
  }

  private void stop() {
    over = true;
    parked.remove(this);
    timeout.cancel();
    fetch.partitions().stopWaiting(this);
  }
}
