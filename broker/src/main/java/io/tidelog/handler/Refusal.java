package io.tidelog.handler;

import io.tidelog.topic.Outcome;
import org.apache.kafka.common.requests.ApiError;

/** The error that an outcome stands for on the wire. */
final class Refusal {
  private Refusal() {}

  /** NONE if it is not refused. */
  static ApiError of(Outcome<?> outcome) {
    return outcome.isRefused() ? ApiError.fromThrowable(outcome.error()) : ApiError.NONE;
  }
}
