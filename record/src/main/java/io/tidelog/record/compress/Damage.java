package io.tidelog.record.compress;

import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.InvalidBatchException.Reason;

/** Makes the exception for packed bytes that cannot be unpacked. */
final class Damage {

  private Damage() {}

  static InvalidBatchException of(String codec, String message) {
    return new InvalidBatchException(Reason.INVALID_RECORD, codec + " data: " + message);
  }
}
