package io.tidelog.store;

import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.Compression;
import io.tidelog.record.Packing;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Batches as producers send them, for tests in which each record has a time of its own. */
public final class Produced {
  private Produced() {}

  /** One record for each timestamp, with the value "at" and the timestamp. */
  public static ByteBuffer at(Compression compression, long... timestampsMs) {
    return build(compression, writer -> {}, timestampsMs);
  }

  /** An idempotent producer's batch, whose sequence numbers begin here; all records at one time. */
  public static ByteBuffer by(Producer producer, int firstSequence, long timestampMs, int records) {
    long[] timestampsMs = new long[records];
    java.util.Arrays.fill(timestampsMs, timestampMs);
    return build(
        Compression.NONE,
        writer -> writer.producer(producer.id, producer.epoch, firstSequence),
        timestampsMs);
  }

  /** One record that is part of its producer's transaction. */
  public static ByteBuffer transactional(Producer producer, int sequence, long timestampMs) {
    return build(
        Compression.NONE,
        writer -> writer.producer(producer.id, producer.epoch, sequence).transactional(),
        timestampMs);
  }

  /** Appends one record with which a producer begins a transaction. */
  public static Appended beginTransaction(
      PartitionLog log, Producer producer, int leaderEpoch, long timestampMs) throws IOException {
    FirstBatch first = new FirstBatch(producer.id, producer.epoch, 0, TransactionProtocol.V1);
    return log.append(
        transactional(producer, 0, timestampMs),
        leaderEpoch,
        AppendSource.CLIENT,
        log.guardTransaction(first).orElseThrow());
  }

  /** An idempotent producer. */
  public record Producer(long id, short epoch) {}

  private interface Header {
    void setOn(RecordBatchWriter writer);
  }

  private static ByteBuffer build(Compression compression, Header header, long... timestampsMs) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatchWriter writer = new RecordBatchWriter(codecs).begin();
      header.setOn(writer.packing(Packing.of(compression)));
      for (long timestampMs : timestampsMs) {
        byte[] value = ("at " + timestampMs).getBytes(StandardCharsets.UTF_8);
        writer.append(timestampMs, null, ByteBuffer.wrap(value));
      }
      return Lab.copy(writer.finish());
    }
  }
}
