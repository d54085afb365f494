package io.tidelog.store;

import java.util.random.RandomGenerator;

/**
 * Something done to a partition whose records have keys.
 *
 * @param kind what
 * @param seed chooses the rest
 */
record KeyedOp(Kind kind, long seed) {

  enum Kind {
    PLAIN,
    IDEMPOTENT,
    TRANSACTIONAL,
    COMMIT,
    ABORT,
    LATER,
    COMPACT
  }

  private static final Kind[] OFTEN_THE_FIRST = {
    Kind.PLAIN,
    Kind.PLAIN,
    Kind.PLAIN,
    Kind.PLAIN,
    Kind.IDEMPOTENT,
    Kind.IDEMPOTENT,
    Kind.TRANSACTIONAL,
    Kind.TRANSACTIONAL,
    Kind.TRANSACTIONAL,
    Kind.COMMIT,
    Kind.ABORT,
    Kind.LATER,
    Kind.COMPACT
  };

  static KeyedOp random(RandomGenerator random) {
    return new KeyedOp(OFTEN_THE_FIRST[random.nextInt(OFTEN_THE_FIRST.length)], random.nextLong());
  }
}
