package io.tidelog.protocol;

import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.AbstractResponse;

/**
 * Where a handler puts the answer to one request. One of {@link #complete}, {@link #fail}, {@link
 * #none} and {@link #closeConnection} is called once, from any thread; a second call is reported as
 * a bug and has no effect. Answers of a connection leave in the order of its requests, whatever the
 * order of these calls.
 *
 * <p>Giving the answer lets go of the request's buffer (see {@link Request#releaseBuffer}) and
 * passes the slices in the answer on: each is released when it has been sent or can no longer be.
 */
public interface Answer {

  /** Answers with this body, written at the request's version. It must not change afterwards. */
  void complete(ApiMessage body);

  /** Answers with this response. */
  default void complete(AbstractResponse response) {
    complete(response.data());
  }

  /**
   * Answers with the API's own error form. What is not one of Kafka's API exceptions is a bug of
   * ours: it is logged with its stack trace and becomes UNKNOWN_SERVER_ERROR.
   */
  void fail(Throwable cause);

  /** No answer is due: a produce with acks=0 that went well. */
  void none();

  /**
   * Closes the connection after the answers before this one: how a produce with acks=0 reports an
   * error.
   */
  void closeConnection();

  /**
   * Runs the action on the event loop if the connection goes away before the answer is given, so
   * that a long wait can be taken off its lists. The answer may still be given; it is dropped. To
   * be called on the event loop, at most once.
   */
  void whenAbandoned(Runnable action);
}
