package io.tidelog.bench.engine;

import io.tidelog.bench.wire.Payload;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;

/** Produced batches in a buffer as a broker receives them: outside of the heap. */
final class Batches {
  private static final int KIB = 1024;
  private static final int BASE_OFFSET_AT = 0;

  private Batches() {}

  static ByteBuffer plain(int records) {
    return packed(records, "none");
  }

  static ByteBuffer packed(int records, String codec) {
    Compression compression = Compression.of(CompressionType.forName(codec)).build();
    ByteBuffer batch = new Payload(records, KIB, compression).batch().buffer().duplicate();
    return ByteBuffer.allocateDirect(batch.remaining()).put(batch).flip();
  }

  /** As it was produced: an engine writes the offset into it. */
  static ByteBuffer again(ByteBuffer batch) {
    batch.clear();
    batch.putLong(BASE_OFFSET_AT, 0);
    return batch;
  }
}
