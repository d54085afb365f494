package io.tidelog.store;

import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The producers of one partition, as their clients and their coordinator number what they send.
 * Each record has a value of its own: "r" and a number.
 */
public final class Writers {
  private static final int COORDINATOR_EPOCH = 3;

  private final Map<Long, Writer> writers = new HashMap<>();
  private int records;

  /** What one client knows of itself. */
  private static final class Writer {
    private short epoch;
    private int sequence;
  }

  /**
   * A batch that is about to be sent.
   *
   * @param values of its records
   * @param first what a transactional one asks a guard with, else null
   */
  public record Sent(ByteBuffer bytes, List<String> values, FirstBatch first) {
    /** A copy for another log. */
    public ByteBuffer copy() {
      return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    /** Appends it, with a guard if it needs one. */
    public Appended to(PartitionLog log, int leaderEpoch) throws IOException {
      TransactionGuard guard =
          first == null
              ? TransactionGuard.NONE
              : log.guardTransaction(first).orElse(TransactionGuard.NONE);
      return log.append(copy(), leaderEpoch, AppendSource.CLIENT, guard);
    }
  }

  private Writer of(long producer) {
    return writers.computeIfAbsent(producer, unknown -> new Writer());
  }

  /** The next batch of a client without a producer id. */
  public Sent plain(int count, long timestampMs) {
    List<String> values = values(count);
    return new Sent(batch(values, timestampMs, writer -> {}), values, null);
  }

  /** The next batch of an idempotent producer. */
  public Sent idempotent(long producer, int count, long timestampMs) {
    Writer from = of(producer);
    List<String> values = values(count);
    ByteBuffer bytes =
        batch(values, timestampMs, to -> to.producer(producer, from.epoch, from.sequence));
    from.sequence += count;
    return new Sent(bytes, values, null);
  }

  /** The next batch of a producer's transaction. */
  public Sent transactional(long producer, int count, long timestampMs) {
    Writer from = of(producer);
    List<String> values = values(count);
    ByteBuffer bytes =
        batch(
            values,
            timestampMs,
            to -> to.producer(producer, from.epoch, from.sequence).transactional());
    FirstBatch first = new FirstBatch(producer, from.epoch, from.sequence, TransactionProtocol.V1);
    from.sequence += count;
    return new Sent(bytes, values, first);
  }

  /** The marker that ends a producer's transaction; with V2 its epoch goes up. */
  public EndTransactionMarker end(long producer, Outcome outcome, TransactionProtocol protocol) {
    Writer of = of(producer);
    if (protocol == TransactionProtocol.V2) {
      newEpoch(producer);
    }
    return new EndTransactionMarker(producer, of.epoch, COORDINATOR_EPOCH, outcome, protocol);
  }

  /** The producer starts again with a new epoch, as after a restart or when its log was cut. */
  public void newEpoch(long producer) {
    of(producer).epoch++;
    of(producer).sequence = 0;
  }

  private interface Header {
    void setOn(RecordBatchWriter writer);
  }

  private List<String> values(int count) {
    return IntStream.range(0, count).mapToObj(i -> "r" + records++).toList();
  }

  private static ByteBuffer batch(List<String> values, long timestampMs, Header header) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatchWriter writer = new RecordBatchWriter(codecs).begin();
      header.setOn(writer);
      for (String value : values) {
        writer.append(timestampMs, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
      }
      return Lab.copy(writer.finish());
    }
  }
}
