package io.tidelog.handler;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;

/** How clients are told that a newer producer has their transactional id. */
final class FencedErrors {
  private FencedErrors() {}

  /** The error as a client of the request's version knows it. */
  static Errors asKnownTo(AbstractRequest request, Errors error) {
    return error == Errors.PRODUCER_FENCED && request.version() < firstVersion(request.apiKey())
        ? Errors.INVALID_PRODUCER_EPOCH
        : error;
  }

  /** The first version of an API that knows PRODUCER_FENCED. */
  private static int firstVersion(ApiKeys api) {
    return api == ApiKeys.INIT_PRODUCER_ID ? 4 : 2;
  }
}
