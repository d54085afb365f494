package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.protocol.Errors;

/** Work for an answer that an event loop must not wait for. */
final class Background {
  private Background() {}

  /** Runs the work on the executor. If it throws, or may not run any more, the request fails. */
  static void answer(Executor executor, Answer answer, Runnable work) {
    try {
      executor.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException thrown) {
              answer.fail(thrown);
            }
          });
    } catch (RejectedExecutionException stopping) {
      answer.fail(Errors.COORDINATOR_NOT_AVAILABLE.exception("the broker is stopping"));
    }
  }
}
