package io.tidelog.handler;

import io.tidelog.log.PartitionLog;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.EventLoop;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * An answer to a produce that waits until everything it wrote is below the high watermark, the log
 * is gone, or the producer's patience is over. Runs on one event loop.
 */
final class AcknowledgementWait {
  private final List<Unacknowledged> waiting;
  private final EngineErrors errors;
  private final ProduceResponseData response;
  private final Answer answer;
  private LogWatch watch;
  private EventLoop.Timeout timeout;

  AcknowledgementWait(
      List<Unacknowledged> waiting,
      EngineErrors errors,
      ProduceResponseData response,
      Answer answer) {
    this.waiting = new ArrayList<>(waiting);
    this.errors = errors;
    this.response = response;
    this.answer = answer;
  }

  /** Waits up to {@code timeoutMs}. */
  void start(EventLoop loop, long timeoutMs) {
    List<PartitionLog> logs = waiting.stream().map(written -> written.found().log()).toList();
    watch = LogWatch.start(logs, loop, this::check);
    timeout = loop.schedule(this::giveUp, timeoutMs);
    answer.whenAbandoned(this::stop);
    check();
  }

  private void check() {
    waiting.removeIf(this::isSettled);
    if (waiting.isEmpty()) {
      finish();
    }
  }

  private boolean isSettled(Unacknowledged written) {
    if (written.isAcknowledged()) {
      return true;
    }
    if (written.found().log().isClosed()) {
      written.response().setErrorCode(errors.ofClosedLog(written.found()).code());
      return true;
    }
    return false;
  }

  private void giveUp() {
    waiting.forEach(written -> written.response().setErrorCode(Errors.REQUEST_TIMED_OUT.code()));
    finish();
  }

  private void finish() {
    stop();
    answer.complete(response);
  }

  private void stop() {
    watch.stop();
    timeout.cancel();
  }
}
