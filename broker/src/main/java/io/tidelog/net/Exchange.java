package io.tidelog.net;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.AnswerEncoder;
import io.tidelog.protocol.Request;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request under way and the place for its answer. Whoever gives the answer, on whatever thread,
 * makes its contents visible to the loop by queueing this; everything but {@link Answer}'s verbs
 * belongs to the loop.
 */
final class Exchange implements Answer, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  /** What is to happen when this request's turn to be answered comes. */
  enum Outcome {
    SEND,
    SEND_NOTHING,
    CLOSE
  }

  private final Request request;
  private final Connection connection;
  private final long startedNanos;
  private final AtomicBoolean given = new AtomicBoolean();
  private Outcome outcome;
  private ApiMessage body;
  private boolean answered;
  private boolean abandoned;
  private Runnable abandonAction;

  Exchange(Request request, Connection connection, long startedNanos) {
    this.request = request;
    this.connection = connection;
    this.startedNanos = startedNanos;
  }

  Request request() {
    return request;
  }

  boolean isProduce() {
    return request.apiKey() == ApiKeys.PRODUCE;
  }

  /** Whether what a produce request brought has been written or refused. */
  boolean isAppended() {
    return answered || !request.holdsBuffer();
  }

  long startedNanos() {
    return startedNanos;
  }

  /** Whether the loop knows the answer. */
  boolean isAnswered() {
    return answered;
  }

  Outcome outcome() {
    return outcome;
  }

  ApiMessage body() {
    return body;
  }

  @Override
  public void complete(ApiMessage answer) {
    if (!give(Outcome.SEND, answer)) {
      AnswerEncoder.discard(answer);
    }
  }

  @Override
  public void fail(Throwable cause) {
    Throwable error = Errors.maybeUnwrapException(cause);
    if (!(error instanceof ApiException)) {
      LOG.error("{} failed; the client is told UNKNOWN_SERVER_ERROR", request, error);
      error = Errors.UNKNOWN_SERVER_ERROR.exception();
    }
    ApiMessage form = errorForm(error);
    give(form == null ? Outcome.CLOSE : Outcome.SEND, form);
  }

  @Override
  public void none() {
    give(Outcome.SEND_NOTHING, null);
  }

  @Override
  public void closeConnection() {
    give(Outcome.CLOSE, null);
  }

  @Override
  public void whenAbandoned(Runnable action) {
    abandonAction = action;
    if (abandoned) {
      abandon();
    }
  }

  /** The handler threw this. */
  void handlerThrew(Throwable thrown) {
    if (given.get()) {
      LOG.error("The handler of {} failed after it had answered", request, thrown);
    } else {
      fail(thrown);
    }
  }

  /** The loop takes the answer over. */
  @Override
  public void run() {
    answered = true;
    if (abandoned) {
      AnswerEncoder.discard(body);
    } else {
      connection.answered(this);
    }
  }

  /** Puts the API's error form in the place of an answer that could not be written. */
  void replaceUnwritable(RuntimeException cause) {
    LOG.error(
        "The answer to {} cannot be written; the client is told UNKNOWN_SERVER_ERROR",
        request,
        cause);
    AnswerEncoder.discard(body);
    body = errorForm(Errors.UNKNOWN_SERVER_ERROR.exception());
    outcome = body == null ? Outcome.CLOSE : Outcome.SEND;
  }

  /** The answer cannot be sent any more: drops it, or tells who is still working on it. */
  void abandon() {
    abandoned = true;
    if (answered) {
      AnswerEncoder.discard(body);
    } else if (abandonAction != null) {
      runAbandonAction();
      request.releaseBuffer();
    }
  }

  private void runAbandonAction() {
    try {
      abandonAction.run();
    } catch (RuntimeException e) {
      LOG.error("Taking {} off its lists failed, after its connection had gone", request, e);
    }
  }

  private boolean give(Outcome what, ApiMessage answer) {
    if (!given.compareAndSet(false, true)) {
      LOG.error(
          "{} was answered twice; the second answer is dropped",
          request,
          new IllegalStateException());
      return false;
    }
    request.releaseBuffer();
    outcome = what;
    body = answer;
    if (request.loop().isCurrent()) {
      run();
      return true;
    }
    try {
      request.loop().execute(this);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Null if the API has no error form for this request (acks=0) or cannot write one. */
  private ApiMessage errorForm(Throwable error) {
    try {
      AbstractResponse response = request.body().getErrorResponse(error);
      return response == null ? null : response.data();
    } catch (RuntimeException e) {
      LOG.error("No error answer can be made for {}", request, e);
      return null;
    }
  }
}
