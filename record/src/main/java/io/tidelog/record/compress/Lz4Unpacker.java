package io.tidelog.record.compress;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Reads one LZ4 frame with independent blocks.
 *
 * <pre>
 *  size  field            meaning
 *     4  magic            0x184d2204
 *     1  flags            bits 7-6 version 1; 5 blocks are independent, 1; 4 blocks have checksums; 3 content size
 *                         follows; 2 content checksum at the end; 1-0 are 0
 *     1  blockSize        bits 6-4: 4 for 64 KiB, 5 for 256 KiB, 6 for 1 MiB, 7 for 4 MiB; the others are 0
 *     8  contentSize      only if flagged; not looked at
 *     1  headerChecksum   second byte of the xxHash32 of flags to contentSize
 *     4  blockLength      bytes of the block; top bit set: it is not packed; 0: the frame ends
 *     …  block            at most blockSize, unpacked
 *     4  blockChecksum    xxHash32 of the block as it is here; only if flagged
 *     …                   more blocks
 *     4  contentChecksum  only if flagged; not looked at
 * </pre>
 *
 * <p>Numbers are little-endian. Bytes after the frame are not looked at, as in Kafka.
 */
final class Lz4Unpacker extends BlockUnpacker {
  static final int MAGIC = 0x184d2204;
  static final int FLAGS_BYTES = 2;
  static final int FIXED_FLAGS = 0x60;
  static final int BLOCK_CHECKSUM_FLAG = 0x10;
  static final int CONTENT_SIZE_FLAG = 0x08;
  static final int CONTENT_CHECKSUM_FLAG = 0x04;
  static final int STORED_BIT = 1 << 31;

  private static final int CHANGEABLE_FLAGS =
      BLOCK_CHECKSUM_FLAG | CONTENT_SIZE_FLAG | CONTENT_CHECKSUM_FLAG;
  private static final int SMALLEST_HEADER_BYTES = 7;
  private static final int CONTENT_SIZE_BYTES = 8;
  private static final int CHECKSUM_BYTES = 4;

  private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();
  private final XXHash32 hash = XXHashFactory.fastestInstance().hash32();
  private final Scratch output = new Scratch();
  private ByteBuffer in;
  private int flags;
  private int maxBlockBytes;
  private boolean ended;

  @Override
  public void open(ByteBuffer packed) {
    clear();
    in = packed.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    ended = false;
    require(SMALLEST_HEADER_BYTES);
    int magic = in.getInt();
    if (magic != MAGIC) {
      throw Damage.of("lz4", String.format("magic is %#010x, expected %#010x", magic, MAGIC));
    }
    int start = in.position();
    readFlags();
    int hashed = FLAGS_BYTES + (has(CONTENT_SIZE_FLAG) ? CONTENT_SIZE_BYTES : 0);
    in.position(start);
    require(hashed + 1);
    in.position(start + hashed);
    if (in.get() != (byte) (hash.hash(in, start, hashed, 0) >>> Byte.SIZE)) {
      throw Damage.of("lz4", "checksum of the frame's header does not fit");
    }
  }

  @Override
  ByteBuffer nextBlock() {
    if (ended) {
      return null;
    }
    require(Integer.BYTES);
    int lengthField = in.getInt();
    int length = lengthField & ~STORED_BIT;
    if (length == 0) {
      endFrame();
      return null;
    }
    if (length > maxBlockBytes) {
      throw Damage.of(
          "lz4", "block length is " + length + ", more than the frame's " + maxBlockBytes);
    }
    require(length + (has(BLOCK_CHECKSUM_FLAG) ? CHECKSUM_BYTES : 0));
    int start = in.position();
    in.position(start + length);
    if (has(BLOCK_CHECKSUM_FLAG) && in.getInt() != hash.hash(in, start, length, 0)) {
      throw Damage.of("lz4", "checksum of a block does not fit");
    }
    return (lengthField & STORED_BIT) != 0 ? in.slice(start, length) : unpack(start, length);
  }

  private void readFlags() {
    flags = Byte.toUnsignedInt(in.get());
    int blockSize = Byte.toUnsignedInt(in.get());
    int blockSizeCode = blockSize >>> 4;
    if ((flags & ~CHANGEABLE_FLAGS) != FIXED_FLAGS
        || (blockSize & 0x0f) != 0
        || blockSizeCode < 4
        || blockSizeCode > 7) {
      throw Damage.of(
          "lz4",
          String.format(
              "flags %#04x and block size %#04x are not those of independent blocks, version 1",
              flags, blockSize));
    }
    maxBlockBytes = 1 << (2 * blockSizeCode + 8);
  }

  private void endFrame() {
    ended = true;
    if (has(CONTENT_CHECKSUM_FLAG)) {
      require(CHECKSUM_BYTES);
    }
  }

  private ByteBuffer unpack(int start, int length) {
    ByteBuffer unpacked = output.ofBytes(maxBlockBytes);
    try {
      int unpackedBytes = decompressor.decompress(in, start, length, unpacked, 0, maxBlockBytes);
      return unpacked.limit(unpackedBytes);
    } catch (LZ4Exception e) {
      throw Damage.of("lz4", e.getMessage());
    }
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  private void require(int count) {
    if (in.remaining() < count) {
      throw Damage.of("lz4", "the frame is cut");
    }
  }
}
