package io.tidelog.record.compress;

import io.tidelog.record.Codecs;
import io.tidelog.record.Compression;
import io.tidelog.record.Packer;
import io.tidelog.record.Packing;
import io.tidelog.record.Unpacker;
import java.util.EnumMap;
import java.util.Map;

/** The codecs of Kafka. Native code is loaded when a codec is first asked for. */
public final class KafkaCodecs implements Codecs {
  private final Map<Compression, Unpacker> unpackers = new EnumMap<>(Compression.class);
  private final Map<Compression, LevelPacker> packers = new EnumMap<>(Compression.class);

  private record LevelPacker(Packing packing, Packer packer) {}

  private KafkaCodecs() {}

  /** Codecs for one thread. */
  public static KafkaCodecs create() {
    return new KafkaCodecs();
  }

  @Override
  public Unpacker unpacker(Compression compression) {
    return unpackers.computeIfAbsent(compression, KafkaCodecs::openUnpacker);
  }

  @Override
  public Packer packer(Packing packing) {
    LevelPacker known = packers.get(packing.compression());
    if (known != null && known.packing().equals(packing)) {
      return known.packer();
    }
    Packer packer = openPacker(packing);
    packers.put(packing.compression(), new LevelPacker(packing, packer));
    if (known != null) {
      close(known.packer());
    }
    return packer;
  }

  @Override
  public void close() {
    unpackers.values().forEach(KafkaCodecs::close);
    unpackers.clear();
    packers.values().forEach(known -> close(known.packer()));
    packers.clear();
  }

  private static Unpacker openUnpacker(Compression compression) {
    return switch (compression) {
      case NONE -> throw new IllegalArgumentException("no compression, nothing to unpack");
      case GZIP -> new GzipUnpacker();
      case SNAPPY -> new SnappyUnpacker();
      case LZ4 -> new Lz4Unpacker();
      case ZSTD -> new ZstdUnpacker();
    };
  }

  private static Packer openPacker(Packing packing) {
    return switch (packing.compression()) {
      case NONE -> throw new IllegalArgumentException("no compression, nothing to pack");
      case GZIP -> new GzipPacker(packing.level());
      case SNAPPY -> new SnappyPacker();
      case LZ4 -> new Lz4Packer(packing.level());
      case ZSTD -> new ZstdPacker(packing.level());
    };
  }

  private static void close(Object codec) {
    if (codec instanceof NativeState state) {
      state.free();
    }
  }
}
