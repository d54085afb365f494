package io.tidelog.handler;

import io.tidelog.log.ReadUpTo;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.errors.InvalidRequestException;

/** What the isolation levels of requests mean. */
final class Isolation {
  private static final byte READ_COMMITTED = IsolationLevel.READ_COMMITTED.id();

  private Isolation() {}

  /**
   * Refuses a level that there is not.
   *
   * @throws InvalidRequestException the answer to the request
   */
  static void check(byte level) {
    if (level < 0 || level > READ_COMMITTED) {
      throw new InvalidRequestException("unknown isolation level " + level);
    }
  }

  /** Which offset bounds a consumer's reads. */
  static ReadUpTo bound(byte level) {
    return level == READ_COMMITTED ? ReadUpTo.LAST_STABLE_OFFSET : ReadUpTo.HIGH_WATERMARK;
  }
}
