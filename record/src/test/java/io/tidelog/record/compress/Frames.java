package io.tidelog.record.compress;

import io.tidelog.record.Compression;
import io.tidelog.record.Packer;
import io.tidelog.record.Packing;
import io.tidelog.record.Unpacker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Packs and unpacks byte arrays with our codecs and with Kafka's. */
final class Frames {
  private Frames() {}

  /** Bytes that pack to about half. */
  static byte[] data(int sizeBytes) {
    Random random = new Random(sizeBytes);
    byte[] data = new byte[sizeBytes];
    for (int i = 0; i < sizeBytes; i++) {
      data[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : i / 7);
    }
    return data;
  }

  static byte[] pack(KafkaCodecs codecs, Packing packing, byte[] data) {
    Packer packer = codecs.packer(packing);
    ByteBuffer source = ByteBuffer.allocateDirect(data.length).put(data).flip();
    ByteBuffer target = ByteBuffer.allocateDirect((int) packer.maxPackedBytes(data.length));
    packer.pack(source, target);
    return array(target.flip());
  }

  /** Unpacks in steps of so many bytes. */
  static byte[] unpack(KafkaCodecs codecs, Compression compression, byte[] packed, int stepBytes) {
    Unpacker unpacker = codecs.unpacker(compression);
    unpacker.open(ByteBuffer.wrap(packed));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer step = ByteBuffer.allocateDirect(stepBytes);
    do {
      step.clear();
      unpacker.read(step);
      all.writeBytes(array(step.duplicate().flip()));
    } while (!step.hasRemaining());
    return all.toByteArray();
  }

  static byte[] unpackByKafka(Compression compression, byte[] packed) throws IOException {
    org.apache.kafka.common.compress.Compression codec =
        switch (compression) {
          case NONE -> throw new IllegalArgumentException("NONE");
          case GZIP -> org.apache.kafka.common.compress.Compression.gzip().build();
          case SNAPPY -> org.apache.kafka.common.compress.Compression.snappy().build();
          case LZ4 -> org.apache.kafka.common.compress.Compression.lz4().build();
          case ZSTD -> org.apache.kafka.common.compress.Compression.zstd().build();
        };
    try (InputStream in =
        codec.wrapForInput(ByteBuffer.wrap(packed), (byte) 2, BufferSupplier.NO_CACHING)) {
      return in.readAllBytes();
    }
  }

  static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    return array;
  }

  static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
