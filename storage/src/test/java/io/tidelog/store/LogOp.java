package io.tidelog.store;

import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.Compression;
import io.tidelog.testkit.SimClock;
import java.util.random.RandomGenerator;

/**
 * Something that is done to a log, with numbers that mean what the moment makes of them.
 *
 * @param what what is done
 * @param a a number
 * @param b another
 */
record LogOp(What what, int a, int b) {

  /** The kinds. */
  enum What {
    APPEND,
    APPEND_AS_PRODUCER,
    TRANSACT,
    END_TRANSACTION,
    RESEND,
    SKIP_A_SEQUENCE,
    RAISE_EPOCH,
    READ,
    READ_COMMITTED,
    SEARCH_TIME,
    FLUSH,
    BACKGROUND,
    CHECKPOINTS,
    DELETE_RECORDS,
    DROP_SEGMENTS,
    RETAIN,
    CONFIGURE,
    COMPACT,
    MOVE,
    TRUNCATE,
    DAMAGE_INDEX,
    DAMAGE_OPEN_INDEX,
    DAMAGE_TXN_INDEX,
    DAMAGE_SNAPSHOT,
    DAMAGE_CHECKPOINT,
    DAMAGE_LOG,
    REOPEN,
    CRASH
  }

  private static final int WRITES = What.END_TRANSACTION.ordinal() + 1;
  private static final int NUMBERS = 1 << 20;

  /** Half of them write. */
  static LogOp random(RandomGenerator random) {
    int kinds = random.nextBoolean() ? WRITES : What.values().length;
    return new LogOp(
        What.values()[random.nextInt(kinds)], random.nextInt(NUMBERS), random.nextInt(NUMBERS));
  }

  void doTo(LogAndModel both) throws Exception {
    switch (what) {
      case APPEND -> both.writing().append(Keyed.batch(Produced.at(codec(), times())));
      case APPEND_AS_PRODUCER -> both.writing().appendNext(a % 3, 1 + b % 4);
      case TRANSACT -> both.writing().transact(10 + a % 3, 1 + b % 3);
      case END_TRANSACTION -> both.writing().end(10 + a % 3, outcome(), protocol());
      case RESEND -> both.writing().resendLast(a % 3);
      case SKIP_A_SEQUENCE -> both.writing().skipASequence(a % 3);
      case RAISE_EPOCH -> both.writing().raiseEpoch();
      case READ -> both.reading().read(a, b % 2000);
      case READ_COMMITTED -> both.reading().readCommitted(a, b % 2000);
      case SEARCH_TIME -> both.reading().searchTime(SimClock.START_MS + a % 110 - 5);
      case FLUSH -> both.flush();
      case BACKGROUND -> both.background(b % 3000);
      case CHECKPOINTS -> both.lab().store.saveCheckpoints();
      case DELETE_RECORDS -> both.deleteRecords(a);
      case DROP_SEGMENTS -> both.dropSegments(a);
      case RETAIN -> both.retain(b % 2000);
      case CONFIGURE -> both.configure(a, b);
      case COMPACT -> both.compact();
      case MOVE -> both.move(b % 4);
      case TRUNCATE -> both.truncate(a);
      case DAMAGE_INDEX -> both.harm().to(LogHarm.Beside.INDEX, a, b);
      case DAMAGE_OPEN_INDEX -> both.harm().toOpenIndex(a, b);
      case DAMAGE_TXN_INDEX -> both.harm().to(LogHarm.Beside.ABORTED, a, b);
      case DAMAGE_SNAPSHOT -> both.harm().to(LogHarm.Beside.PRODUCERS, a, b);
      case DAMAGE_CHECKPOINT -> both.harm().to(LogHarm.Beside.CHECKPOINT, a, b);
      case DAMAGE_LOG -> both.harm().toLog(a, b);
      case REOPEN -> both.reopen();
      case CRASH -> both.crash(b);
    }
  }

  private Compression codec() {
    return Compression.values()[a % Compression.values().length];
  }

  private Outcome outcome() {
    return a % 2 == 0 ? Outcome.COMMIT : Outcome.ABORT;
  }

  private TransactionProtocol protocol() {
    return b % 2 == 0 ? TransactionProtocol.V1 : TransactionProtocol.V2;
  }

  private long[] times() {
    long[] times = new long[1 + b % 5];
    for (int i = 0; i < times.length; i++) {
      times[i] = SimClock.START_MS + (a + 37L * i * b) % 100;
    }
    return times;
  }
}
