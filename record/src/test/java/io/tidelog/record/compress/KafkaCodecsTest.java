package io.tidelog.record.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.Packing;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What holds for every codec. */
class KafkaCodecsTest {
  private final KafkaCodecs codecs = KafkaCodecs.create();

  @AfterEach
  void freeCodecs() {
    codecs.close();
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void any_size_comes_back_in_steps_of_any_size(Compression compression) throws IOException {
    for (int size : new int[] {1, 100, 32_767, 32_768, 65_536, 65_537, 300_000}) {
      byte[] data = Frames.data(size);
      byte[] packed = Frames.pack(codecs, Packing.of(compression), data);
      assertThat(Frames.unpackByKafka(compression, packed)).isEqualTo(data);
      for (int step : new int[] {17, 4_096, 65_536, 1_000_000}) {
        assertThat(Frames.unpack(codecs, compression, packed, step)).isEqualTo(data);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void what_cannot_be_packed_stays_within_the_bound(Compression compression) throws IOException {
    byte[] noise = new byte[200_000];
    new Random(1).nextBytes(noise);
    byte[] packed = Frames.pack(codecs, Packing.of(compression), noise);
    assertThat(Frames.unpackByKafka(compression, packed)).isEqualTo(noise);
    assertThat(Frames.unpack(codecs, compression, packed, 4_096)).isEqualTo(noise);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void data_cut_anywhere_are_refused_as_by_kafka(Compression compression) throws IOException {
    byte[] packed = Frames.pack(codecs, Packing.of(compression), Frames.data(5_000));
    for (int size = 0; size < packed.length; size++) {
      sameAsKafka(compression, Arrays.copyOf(packed, size));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void damaged_data_are_refused_or_read_as_by_kafka(Compression compression) throws IOException {
    byte[] packed = Frames.pack(codecs, Packing.of(compression), Frames.data(2_000));
    Random random = new Random(42);
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = packed.clone();
      int at = random.nextInt(i % 2 == 0 ? 32 : damaged.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      sameAsKafka(compression, damaged);
    }
  }

  @Test
  void no_compression_has_no_codec() {
    assertThatThrownBy(() -> codecs.unpacker(Compression.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codecs.packer(Packing.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_codec_is_kept_and_replaced_when_its_level_changes() {
    Packing fast = new Packing(Compression.ZSTD, 1);
    assertThat(codecs.packer(fast)).isSameAs(codecs.packer(new Packing(Compression.ZSTD, 1)));
    byte[] data = Frames.data(10_000);
    for (int level : new int[] {1, 19, 3, 1}) {
      byte[] packed = Frames.pack(codecs, new Packing(Compression.ZSTD, level), data);
      assertThat(Frames.unpack(codecs, Compression.ZSTD, packed, 500)).isEqualTo(data);
    }
    assertThat(codecs.unpacker(Compression.GZIP)).isSameAs(codecs.unpacker(Compression.GZIP));
  }

  private void sameAsKafka(Compression compression, byte[] packed) throws IOException {
    byte[] ours;
    try {
      ours = Frames.unpack(codecs, compression, packed, 700);
    } catch (InvalidBatchException e) {
      assertThat(e.reason()).isEqualTo(InvalidBatchException.Reason.INVALID_RECORD);
      assertThat(e).hasMessageStartingWith(compression.name().toLowerCase(Locale.ROOT) + " data: ");
      if (!e.getMessage().contains("claims to unpack")) { // Kafka would allocate that
        assertThatThrownBy(() -> Frames.unpackByKafka(compression, packed), e.getMessage());
      }
      return;
    }
    assertThat(ours).isEqualTo(Frames.unpackByKafka(compression, packed));
  }
}
