package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.junit.jupiter.api.Test;

class VarintTest {
  private static final int[] INTS = {
    0, -1, 1, 63, -64, 64, -65, 8191, -8192, 8192, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE
  };
  private static final long[] LONGS = {
    0, -1, 1, 63, -64, 64, 1L << 34, -(1L << 55), Long.MAX_VALUE, Long.MIN_VALUE
  };

  @Test
  void ints_have_kafkas_bytes() {
    for (int value : INTS) {
      ByteBuffer ours = ByteBuffer.allocate(5);
      ByteBuffer theirs = ByteBuffer.allocate(5);
      Varint.writeInt(ours, value);
      ByteUtils.writeVarint(value, theirs);
      assertThat(ours.flip()).isEqualTo(theirs.flip());
      assertThat(Varint.sizeOfInt(value)).isEqualTo(ours.remaining());
      assertThat(Varint.readInt(ours)).isEqualTo(value);
    }
  }

  @Test
  void longs_have_kafkas_bytes() {
    for (long value : LONGS) {
      ByteBuffer ours = ByteBuffer.allocate(10);
      ByteBuffer theirs = ByteBuffer.allocate(10);
      Varint.writeLong(ours, value);
      ByteUtils.writeVarlong(value, theirs);
      assertThat(ours.flip()).isEqualTo(theirs.flip());
      assertThat(Varint.sizeOfLong(value)).isEqualTo(ours.remaining());
      assertThat(Varint.readLong(ours)).isEqualTo(value);
    }
  }

  @Test
  void every_int_and_long_comes_back() {
    Random random = new Random(20260101);
    ByteBuffer buffer = ByteBuffer.allocate(10);
    for (int i = 0; i < 20_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      Varint.writeLong(buffer.clear(), value);
      assertThat(Varint.sizeOfLong(value)).isEqualTo(buffer.position());
      assertThat(Varint.readLong(buffer.flip())).isEqualTo(value);
      Varint.writeInt(buffer.clear(), (int) value);
      assertThat(Varint.sizeOfInt((int) value)).isEqualTo(buffer.position());
      assertThat(Varint.readInt(buffer.flip())).isEqualTo((int) value);
    }
  }

  @Test
  void a_varint_of_six_bytes_is_refused() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, -1, 1});
    assertThatThrownBy(() -> Varint.readInt(bytes)).hasMessage("varint has more than 5 bytes");
  }

  @Test
  void a_varlong_of_eleven_bytes_is_refused() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
    assertThatThrownBy(() -> Varint.readLong(bytes)).hasMessage("varlong has more than 10 bytes");
  }

  @Test
  void a_varint_cut_short_is_refused() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {-1, -1});
    assertThatThrownBy(() -> Varint.readInt(bytes)).hasMessage("data ends within a varint");
    assertThatThrownBy(() -> Varint.readLong(bytes.rewind()))
        .hasMessage("data ends within a varint");
  }
}
