package io.tidelog.handler;

import org.apache.kafka.common.protocol.Errors;

/** How clients are told that a newer producer has their transactional id. */
final class FencedErrors {
  private FencedErrors() {}

  /**
   * The error as a client of this version knows it: old ones read INVALID_PRODUCER_EPOCH.
   *
   * @param firstVersion that knows PRODUCER_FENCED
   */
  static Errors asKnownTo(short version, int firstVersion, Errors error) {
    return error == Errors.PRODUCER_FENCED && version < firstVersion
        ? Errors.INVALID_PRODUCER_EPOCH
        : error;
  }
}
