package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.EventLoop;
import java.util.concurrent.RejectedExecutionException;

/**
 * A fetch that waits for records: until there are enough of them, something is to be told at once,
 * or its time is over. It holds no slices meanwhile. Runs on one event loop.
 */
final class FetchWait {
  private final Fetch fetch;
  private final ParkedFetches parked;
  private final EventLoop loop;
  private final Answer answer;
  private LogWatch watch;
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
    FetchPass pass = FetchPass.over(fetch);
    if (pass.suffices() || fetch.maxWaitMs() <= 0 || fetch.topics().isEmpty()) {
      answer.complete(pass.body());
    } else {
      pass.discard();
      new FetchWait(fetch, parked, loop, answer).park();
    }
  }

  private void park() {
    watch = LogWatch.start(fetch.logs(), loop, this::look);
    timeout = loop.schedule(this::answerNow, fetch.maxWaitMs());
    parked.add(this);
    answer.whenAbandoned(this::stop);
    look();
  }

  /** Has the fetch answer with what there is; from any thread. */
  void hurry() {
    try {
      loop.execute(this::answerNow);
    } catch (RejectedExecutionException ended) {
      // The loop has ended, and the connection with it.
    }
  }

  private void look() {
    FetchPass pass = FetchPass.over(fetch);
    if (pass.suffices() || parked.isClosed()) {
      finish(pass);
    } else {
      pass.discard();
    }
  }

  private void answerNow() {
    if (!over) {
      finish(FetchPass.over(fetch));
    }
  }

  private void finish(FetchPass pass) {
    stop();
    answer.complete(pass.body());
  }

  private void stop() {
    over = true;
    parked.remove(this);
    watch.stop();
    timeout.cancel();
  }
}
