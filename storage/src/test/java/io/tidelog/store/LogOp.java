package io.tidelog.store;

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

  /** The kinds, the frequent ones several times. */
  enum What {
    APPEND,
    APPEND_AS_PRODUCER,
    RESEND,
    SKIP_A_SEQUENCE,
    RAISE_EPOCH,
    READ,
    SEARCH_TIME,
    FLUSH,
    BACKGROUND,
    CHECKPOINTS,
    DELETE_RECORDS,
    DROP_SEGMENTS,
    TRUNCATE,
    REOPEN,
    CRASH
  }

  private static final int APPENDS_OF_TEN = 4;

  static LogOp random(RandomGenerator random) {
    boolean isAppend = random.nextInt(10) < APPENDS_OF_TEN;
    What what =
        isAppend
            ? What.values()[random.nextInt(2)]
            : What.values()[random.nextInt(What.values().length)];
    return new LogOp(what, random.nextInt(1 << 20), random.nextInt(1 << 20));
  }

  void doTo(LogAndModel both) throws Exception {
    switch (what) {
      case APPEND -> both.append(Produced.at(codec(), times()));
      case APPEND_AS_PRODUCER -> both.appendNext(producer(), 1 + b % 4);
      case RESEND -> both.resendLast(producer());
      case SKIP_A_SEQUENCE -> both.skipASequence(producer());
      case RAISE_EPOCH -> both.raiseEpoch();
      case READ -> both.read(a, b % 2000);
      case SEARCH_TIME -> both.searchTime(SimClock.START_MS + a % 110 - 5);
      case FLUSH -> both.flush();
      case BACKGROUND -> both.background(b % 3000);
      case CHECKPOINTS -> both.lab().store.saveCheckpoints();
      case DELETE_RECORDS -> both.deleteRecords(a);
      case DROP_SEGMENTS -> both.dropSegments(a);
      case TRUNCATE -> both.truncate(a);
      case REOPEN -> both.reopen();
      case CRASH -> both.crash(b);
    }
  }

  private Compression codec() {
    return Compression.values()[a % Compression.values().length];
  }

  private long producer() {
    return a % 3;
  }

  private long[] times() {
    long[] times = new long[1 + b % 5];
    for (int i = 0; i < times.length; i++) {
      times[i] = SimClock.START_MS + (a + 37L * i * b) % 100;
    }
    return times;
  }
}
