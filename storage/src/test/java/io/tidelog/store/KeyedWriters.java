package io.tidelog.store;

import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.Compression;
import io.tidelog.record.Packing;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.RecordHeader;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Producers that write few keys again and again: values, tombstones, now and then no key, with
 * headers, in any compression, with and without transactions. Tells a listener what it wrote.
 */
final class KeyedWriters {
  private static final int KEYS = 9;
  private static final int PRODUCERS = 3;
  private static final int COORDINATOR_EPOCH = 3;

  private final Map<Long, Writer> writers = new HashMap<>();
  private final Written written;
  private int values;

  /** Hears what was written. */
  interface Written {
    /**
     * A record.
     *
     * @param transaction the producer whose transaction it is part of, -1 for none
     */
    void record(long offset, String key, String value, long transaction);

    /** The end of a producer's transaction. */
    void ended(long transaction, Outcome outcome);
  }

  /** What a client knows of itself. */
  private static final class Writer {
    private int sequence;
    private boolean isInTransaction;
  }

  /** A record that is about to be sent. */
  private record Draft(String key, String value, long timestampMs, List<RecordHeader> headers) {}

  KeyedWriters(Written written) {
    this.written = written;
  }

  /** Does it, if it writes; else nothing. */
  void does(KeyedOp operation, PartitionLog log, SimClock clock) throws IOException {
    RandomGenerator random = new SplittableRandom(operation.seed());
    switch (operation.kind()) {
      case PLAIN -> append(random, log, clock, -1, false);
      case IDEMPOTENT -> append(random, log, clock, 1 + random.nextInt(PRODUCERS), false);
      case TRANSACTIONAL -> append(random, log, clock, 11 + random.nextInt(PRODUCERS), true);
      case COMMIT -> end(11 + random.nextInt(PRODUCERS), log, Outcome.COMMIT);
      case ABORT -> end(11 + random.nextInt(PRODUCERS), log, Outcome.ABORT);
      case LATER, COMPACT -> {}
    }
  }

  private void append(
      RandomGenerator random,
      PartitionLog log,
      SimClock clock,
      long producer,
      boolean inTransaction)
      throws IOException {
    List<Draft> drafts = new ArrayList<>();
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      drafts.add(draft(random, clock.millis()));
    }
    Compression compression =
        random.nextInt(3) == 0
            ? Compression.values()[random.nextInt(Compression.values().length)]
            : Compression.NONE;
    Writer writer = writers.computeIfAbsent(producer, unknown -> new Writer());
    long base = log.view().end();
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatchWriter batch =
          new RecordBatchWriter(codecs).begin().packing(Packing.of(compression));
      if (producer > 0) {
        batch.producer(producer, (short) 0, writer.sequence);
      }
      if (inTransaction) {
        batch.transactional();
      }
      for (Draft draft : drafts) {
        batch.append(draft.timestampMs, bytes(draft.key), bytes(draft.value), draft.headers);
      }
      TransactionGuard guard = TransactionGuard.NONE;
      if (inTransaction) {
        FirstBatch first =
            new FirstBatch(producer, (short) 0, writer.sequence, TransactionProtocol.V1);
        guard = log.guardTransaction(first).orElse(TransactionGuard.NONE);
      }
      log.append(Lab.copy(batch.finish()), 7, AppendSource.COORDINATOR, guard);
    }
    writer.sequence += drafts.size();
    writer.isInTransaction |= inTransaction;
    for (int i = 0; i < drafts.size(); i++) {
      written.record(
          base + i, drafts.get(i).key, drafts.get(i).value, inTransaction ? producer : -1);
    }
  }

  private Draft draft(RandomGenerator random, long nowMs) {
    String key = random.nextInt(12) == 0 ? null : "k" + random.nextInt(KEYS);
    String value = random.nextInt(4) == 0 ? null : "v" + values++;
    List<RecordHeader> headers = new ArrayList<>();
    for (int left = random.nextInt(8) - 5; left > 0; left--) {
      headers.add(new RecordHeader(bytes("h" + left), random.nextBoolean() ? null : bytes("w")));
    }
    return new Draft(key, value, nowMs - random.nextInt(2000) + 1000, headers);
  }

  private static ByteBuffer bytes(String text) {
    return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private void end(long producer, PartitionLog log, Outcome outcome) throws IOException {
    Writer writer = writers.get(producer);
    if (writer != null && writer.isInTransaction) {
      writer.isInTransaction = false;
      log.appendMarker(
          new EndTransactionMarker(
              producer, (short) 0, COORDINATOR_EPOCH, outcome, TransactionProtocol.V1),
          7);
      written.ended(producer, outcome);
    }
  }
}
