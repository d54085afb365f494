package io.tidelog.store;

import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import java.util.random.RandomGenerator;

/**
 * What may happen to a partition with transactions. The numbers are taken modulo what makes sense
 * where it happens.
 *
 * @param producer one of a few
 * @param records 1 to 3
 */
record TxnOp(Kind kind, long producer, int records, int number) {

  /** What happens. */
  enum Kind {
    PLAIN,
    IDEMPOTENT,
    TRANSACTIONAL,
    END,
    COMMIT,
    DELETE_RECORDS,
    TRUNCATE,
    REOPEN,
    REOPEN_UNCLEAN
  }

  /** What is drawn from. */
  enum Choice {
    ALL,
    /** The end of the log may be cut, the start stays: Kafka forgets what began before both. */
    CUTS,
    /** The start of the log may be cut, the end stays. */
    DELETES;

    boolean allows(Kind kind) {
      return switch (kind) {
        case TRUNCATE, REOPEN_UNCLEAN -> this != DELETES;
        case DELETE_RECORDS -> this != CUTS;
        default -> true;
      };
    }
  }

  static TxnOp random(RandomGenerator random, Choice choice) {
    Kind kind = kind(random.nextInt(40));
    return new TxnOp(
        choice.allows(kind) ? kind : Kind.COMMIT,
        10 + random.nextInt(4),
        1 + random.nextInt(3),
        random.nextInt(10_000));
  }

  private static Kind kind(int drawn) {
    return drawn < 4
        ? Kind.PLAIN
        : drawn < 8
            ? Kind.IDEMPOTENT
            : drawn < 22
                ? Kind.TRANSACTIONAL
                : drawn < 32
                    ? Kind.END
                    : drawn < 35 ? Kind.COMMIT : Kind.values()[Kind.COMMIT.ordinal() + drawn - 35];
  }

  Outcome outcome() {
    return number % 3 == 0 ? Outcome.COMMIT : Outcome.ABORT;
  }

  TransactionProtocol protocol() {
    return number % 2 == 0 ? TransactionProtocol.V1 : TransactionProtocol.V2;
  }
}
