package io.tidelog.record.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.Packing;
import io.tidelog.record.Unpacker;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

/**
 * Whatever is to be unpacked, it is unpacked or refused in the one typed way; what we unpack, Kafka
 * unpacks to the same bytes.
 *
 * <p>The first byte of an input chooses the codec, the second how much is unpacked at a time; the
 * rest are the packed bytes.
 */
class UnpackerFuzzTest implements FuzzTarget {
  private static final int CHOICE_BYTES = 2;
  private static final int LZ4_SEALED = 1 << 7;
  private static final int MOST_UNPACKED_BYTES = 2 << 20;
  private static final int PIECE_BYTES = 64 << 10;
  private static final MemoryBound MEMORY = MemoryBound.of(16 << 10, 64);

  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
  private final XXHash32 hash = XXHashFactory.fastestInstance().hash32();

  @Test
  void every_known_input_is_unpacked_as_kafka_does_or_refused() throws Exception {
    KnownInputs.replay(this);
    codecs.close();
  }

  @Override
  public List<byte[]> seeds() {
    byte[] text =
        "the quick brown fox jumps over the lazy dog ".repeat(5).getBytes(StandardCharsets.UTF_8);
    List<byte[]> seeds = new ArrayList<>();
    for (Compression compression : Compression.values()) {
      if (compression != Compression.NONE) {
        byte[] packed = Frames.pack(codecs, Packing.of(compression), text);
        seeds.add(chosen(compression.code(), packed));
        seeds.add(chosen(compression.code(), Frames.joined(packed, packed)));
        seeds.add(
            chosen(
                compression.code(),
                Frames.pack(codecs, Packing.of(compression), Frames.data(700))));
      }
    }
    return seeds;
  }

  private static byte[] chosen(int code, byte[] packed) {
    return Frames.joined(new byte[] {(byte) (code | LZ4_SEALED), (byte) packed.length}, packed);
  }

  @Override
  public void check(byte[] input) throws Exception {
    if (input.length < CHOICE_BYTES) {
      return;
    }
    Compression compression = Compression.of(1 + (input[0] & 0x7f) % 4);
    byte[] packed = Arrays.copyOfRange(input, CHOICE_BYTES, input.length);
    if (compression == Compression.LZ4 && (input[0] & LZ4_SEALED) != 0) {
      sealLz4(packed);
    }
    int stepBytes = 1 + Byte.toUnsignedInt(input[1]);
    MEMORY.check(packed.length, () -> unpackedBytes(compression, packed));
    Optional<byte[]> ours = unpacked(compression, packed, stepBytes);
    if (ours.isPresent()) {
      assertThat(Frames.unpackByKafka(compression, packed)).isEqualTo(ours.get());
    }
  }

  /** Makes the checksum of a frame's header right. */
  private void sealLz4(byte[] packed) {
    int hashed = packed.length > 4 && (packed[4] & Lz4Unpacker.CONTENT_SIZE_FLAG) != 0 ? 10 : 2;
    if (packed.length > 4 + hashed) {
      packed[4 + hashed] = (byte) (hash.hash(packed, 4, hashed, 0) >>> Byte.SIZE);
    }
  }

  /** How much it unpacks to, if that is not much; -1 if it is refused. */
  private long unpackedBytes(Compression compression, byte[] packed) {
    try {
      Unpacker unpacker = codecs.unpacker(compression);
      unpacker.open(ByteBuffer.wrap(packed));
      unpacker.read(piece.clear());
      return piece.position();
    } catch (InvalidBatchException refused) {
      return -1;
    }
  }

  /** All of it; empty if it is refused, or too much to look at. */
  private Optional<byte[]> unpacked(Compression compression, byte[] packed, int stepBytes) {
    try {
      Unpacker unpacker = codecs.unpacker(compression);
      unpacker.open(ByteBuffer.wrap(packed));
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      do {
        piece.clear().limit(all.size() < PIECE_BYTES ? stepBytes : PIECE_BYTES);
        unpacker.read(piece);
        all.writeBytes(Frames.array(piece.duplicate().flip()));
      } while (!piece.hasRemaining() && all.size() < MOST_UNPACKED_BYTES);
      return piece.hasRemaining() ? Optional.of(all.toByteArray()) : Optional.empty();
    } catch (InvalidBatchException refused) {
      assertThat(refused).message().isNotBlank();
      return Optional.empty();
    }
  }
}
