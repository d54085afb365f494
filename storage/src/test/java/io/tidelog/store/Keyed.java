package io.tidelog.store;

import io.tidelog.record.Packing;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Gives the records of a batch keys, few enough that compaction has something to do. */
final class Keyed {
  private static final int KEYS = 7;
  private static final int ONE_IN_IS_A_TOMBSTONE = 11;

  private Keyed() {}

  /** The same batch with keys; now and then a value becomes none. The same bytes give the same. */
  static ByteBuffer batch(ByteBuffer withoutKeys) {
    RecordBatch from = RecordBatch.at(withoutKeys, withoutKeys.position());
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatchWriter to =
          new RecordBatchWriter(codecs).begin().packing(Packing.of(from.compression()));
      if (from.hasProducerId()) {
        to.producer(from.producerId(), from.producerEpoch(), from.baseSequence());
      }
      if (from.isTransactional()) {
        to.transactional();
      }
      RecordCursor records = new RecordCursor(codecs);
      records.open(from, UnpackLimits.DEFAULT);
      while (records.next()) {
        int hash =
            records.value().duplicate().hashCode()
                + 31 * (records.offsetDelta() + from.baseSequence());
        to.append(
            records.timestamp(),
            ByteBuffer.wrap(("k" + Math.floorMod(hash, KEYS)).getBytes(StandardCharsets.US_ASCII)),
            Math.floorMod(hash, ONE_IN_IS_A_TOMBSTONE) == 0 ? null : records.value());
      }
      return Lab.copy(to.finish());
    }
  }
}
