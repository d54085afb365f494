package io.tidelog.record.compress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.Packing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

/** Frames that other clients write and Kafka reads, and such as both refuse. */
class FrameVariantsTest {
  private static final byte[] DATA = Frames.data(200_000);

  private final KafkaCodecs codecs = KafkaCodecs.create();

  @AfterEach
  void freeCodecs() {
    codecs.close();
  }

  @Test
  void snappy_without_a_frame_is_read() throws IOException {
    bothRead(Compression.SNAPPY, Snappy.compress(DATA), DATA);
    byte[] few = {1, 2, 3};
    bothRead(Compression.SNAPPY, Snappy.compress(few), few);
  }

  @Test
  void snappy_frames_one_after_another_are_read() throws IOException {
    byte[] frame = Frames.pack(codecs, Packing.of(Compression.SNAPPY), DATA);
    bothRead(Compression.SNAPPY, Frames.joined(frame, frame), Frames.joined(DATA, DATA));
  }

  @Test
  void a_snappy_block_that_claims_too_much_is_refused_unheard() {
    byte[] claim = {-1, -1, -1, -1, 7, 0, 0, 0, 0, 0};
    refused(Compression.SNAPPY, claim, "claims to unpack to 2147483647");
    byte[] more = {-1, -1, -1, -1, 15, 0, 0, 0, 0, 0};
    refused(Compression.SNAPPY, more, "snappy data: ");
  }

  @Test
  void nothing_snappy_packs_grows_more_than_the_bound() throws IOException {
    byte[] zeros = new byte[10_000_000];
    byte[] packed = Snappy.compress(zeros);
    assertThat((double) zeros.length / packed.length).isBetween(20.0, 22.0);
    bothRead(Compression.SNAPPY, packed, zeros);
  }

  @Test
  void gzip_with_every_optional_field_is_read() throws IOException {
    byte[] member = Frames.pack(codecs, Packing.of(Compression.GZIP), DATA);
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.writeBytes(new byte[] {0x1f, (byte) 0x8b, 8, 0x1e, 1, 2, 3, 4, 5, 6});
    header.writeBytes(new byte[] {3, 0, 'x', 'y', 'z'});
    header.writeBytes(new byte[] {'n', 'a', 'm', 'e', 0});
    header.writeBytes(new byte[] {0});
    CRC32 crc = new CRC32();
    crc.update(header.toByteArray());
    header.writeBytes(new byte[] {(byte) crc.getValue(), (byte) (crc.getValue() >>> 8)});
    byte[] deflated = Arrays.copyOfRange(member, 10, member.length);
    bothRead(Compression.GZIP, Frames.joined(header.toByteArray(), deflated), DATA);
  }

  @Test
  void gzip_members_one_after_another_are_read_and_junk_after_them_passed_over()
      throws IOException {
    byte[] member = Frames.pack(codecs, Packing.of(Compression.GZIP), DATA);
    byte[] both = Frames.joined(DATA, DATA);
    bothRead(Compression.GZIP, Frames.joined(member, member), both);
    byte[] junk = "junk that starts no member, long enough".getBytes(UTF_8);
    bothRead(Compression.GZIP, Frames.joined(member, member, junk), both);
  }

  @ParameterizedTest
  @EnumSource(BLOCKSIZE.class)
  void lz4_blocks_of_every_size_with_every_checksum_are_read(BLOCKSIZE size) throws IOException {
    byte[] plain = lz4(size, FLG.Bits.BLOCK_INDEPENDENCE);
    bothRead(Compression.LZ4, plain, DATA);
    byte[] full =
        lz4(
            size,
            FLG.Bits.BLOCK_INDEPENDENCE,
            FLG.Bits.BLOCK_CHECKSUM,
            FLG.Bits.CONTENT_CHECKSUM,
            FLG.Bits.CONTENT_SIZE);
    bothRead(Compression.LZ4, full, DATA);
    byte[] wrongBlock = full.clone();
    wrongBlock[100] ^= 1;
    refused(Compression.LZ4, wrongBlock, "checksum of a block does not fit");
  }

  @Test
  void what_follows_an_lz4_frame_is_passed_over() throws IOException {
    byte[] frame = Frames.pack(codecs, Packing.of(Compression.LZ4), DATA);
    bothRead(Compression.LZ4, Frames.joined(frame, new byte[] {1, 2, 3}), DATA);
    bothRead(Compression.LZ4, Frames.joined(frame, frame), DATA);
  }

  @ParameterizedTest
  @CsvSource({
    "0x40,0x40",
    "0xe0,0x40",
    "0x61,0x40",
    "0x62,0x40",
    "0x60,0x30",
    "0x60,0x80",
    "0x60,0x41"
  })
  void lz4_frames_of_another_kind_are_refused(String flags, String blockSize) {
    byte[] descriptor = {Integer.decode(flags).byteValue(), Integer.decode(blockSize).byteValue()};
    int hash = XXHashFactory.safeInstance().hash32().hash(descriptor, 0, 2, 0);
    byte[] frame = Frames.pack(codecs, Packing.of(Compression.LZ4), DATA);
    frame[4] = descriptor[0];
    frame[5] = descriptor[1];
    frame[6] = (byte) (hash >> 8);
    refused(Compression.LZ4, frame, "not those of independent blocks, version 1");
    assertThatThrownBy(() -> Frames.unpackByKafka(Compression.LZ4, frame));
  }

  @Test
  void an_lz4_header_that_does_not_fit_its_checksum_is_refused() {
    byte[] frame = Frames.pack(codecs, Packing.of(Compression.LZ4), DATA);
    frame[6] ^= 1;
    refused(Compression.LZ4, frame, "checksum of the frame's header does not fit");
    frame[0] ^= 1;
    refused(Compression.LZ4, frame, "magic is 0x184d2205, expected 0x184d2204");
  }

  @Test
  void an_lz4_block_larger_than_the_frame_allows_is_refused() {
    byte[] frame = Frames.pack(codecs, Packing.of(Compression.LZ4), DATA);
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(7, 65_537);
    refused(Compression.LZ4, frame, "block length is 65537, more than the frame's 65536");
    byte[] tooMuch = LZ4Factory.safeInstance().fastCompressor().compress(new byte[65_537]);
    ByteBuffer lying = ByteBuffer.allocate(100 + tooMuch.length).order(ByteOrder.LITTLE_ENDIAN);
    lying.put(frame, 0, 7).putInt(tooMuch.length).put(tooMuch).putInt(0);
    refused(Compression.LZ4, Frames.array(lying.flip()), "lz4 data: ");
  }

  @Test
  void zstd_frames_one_after_another_are_read_and_skippable_ones_skipped() throws IOException {
    byte[] frame = Frames.pack(codecs, Packing.of(Compression.ZSTD), DATA);
    byte[] skippable = {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9};
    bothRead(
        Compression.ZSTD,
        Frames.joined(frame, skippable, frame, skippable),
        Frames.joined(DATA, DATA));
  }

  @Test
  void zstd_with_the_largest_window_of_kafkas_levels_and_no_size_is_read() throws IOException {
    bothRead(Compression.ZSTD, zstd(27), DATA);
    refused(Compression.ZSTD, zstd(28), "zstd data: ");
    assertThatThrownBy(() -> Frames.unpackByKafka(Compression.ZSTD, zstd(28)));
  }

  @Test
  void a_zstd_frame_that_does_not_fit_its_checksum_is_refused() {
    byte[] frame = zstd(20);
    frame[frame.length - 1] ^= 1;
    refused(Compression.ZSTD, frame, "zstd data: ");
  }

  @Test
  void a_zstd_state_that_has_unpacked_much_is_replaced_and_reads_on() {
    byte[] much = new byte[20_000_000];
    byte[] packed = Frames.pack(codecs, Packing.of(Compression.ZSTD), much);
    for (int i = 0; i < 3; i++) {
      assertThat(Frames.unpack(codecs, Compression.ZSTD, packed, 1 << 20)).isEqualTo(much);
    }
  }

  private static byte[] zstd(int windowLog) {
    try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
      zstd.setLevel(1).setChecksum(true).setWindowLog(windowLog);
      ByteBuffer source = ByteBuffer.allocateDirect(DATA.length).put(DATA).flip();
      ByteBuffer target = ByteBuffer.allocateDirect(DATA.length * 2);
      source.limit(DATA.length / 2);
      zstd.compressDirectByteBufferStream(target, source, EndDirective.CONTINUE);
      source.limit(DATA.length);
      assertThat(zstd.compressDirectByteBufferStream(target, source, EndDirective.END)).isTrue();
      return Frames.array(target.flip());
    }
  }

  private static byte[] lz4(BLOCKSIZE size, FLG.Bits... flags) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LZ4FrameOutputStream lz4 = new LZ4FrameOutputStream(out, size, DATA.length, flags)) {
      lz4.write(DATA);
    }
    return out.toByteArray();
  }

  private void bothRead(Compression compression, byte[] packed, byte[] data) throws IOException {
    assertThat(Frames.unpackByKafka(compression, packed)).isEqualTo(data);
    assertThat(Frames.unpack(codecs, compression, packed, 10_000)).isEqualTo(data);
  }

  private void refused(Compression compression, byte[] packed, String message) {
    assertThatThrownBy(() -> Frames.unpack(codecs, compression, packed, 10_000))
        .isInstanceOf(InvalidBatchException.class)
        .hasMessageContaining(message);
  }
}
