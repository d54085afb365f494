package io.tidelog.record.compress;

import io.tidelog.record.Compression;
import io.tidelog.record.Packer;
import io.tidelog.record.Packing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHashFactory;

/** Writes what {@link Lz4Unpacker} describes, in blocks of 64 KiB without checksums. */
final class Lz4Packer implements Packer {
  private static final int BLOCK_BYTES = 64 << 10;
  private static final byte BLOCK_SIZE = 4 << 4;
  private static final int HEADER_BYTES = 7;
  private static final int LENGTH_BYTES = 4;

  private final LZ4Compressor compressor;
  private final byte headerChecksum;

  Lz4Packer(int level) {
    LZ4Factory factory = LZ4Factory.fastestInstance();
    boolean isDefault = level == Packing.of(Compression.LZ4).level();
    compressor = isDefault ? factory.fastCompressor() : factory.highCompressor(level);
    byte[] flags = {Lz4Unpacker.FIXED_FLAGS, BLOCK_SIZE};
    int hash = XXHashFactory.fastestInstance().hash32().hash(flags, 0, flags.length, 0);
    headerChecksum = (byte) (hash >>> Byte.SIZE);
  }

  @Override
  public long maxPackedBytes(int unpackedBytes) {
    long blocks = unpackedBytes / BLOCK_BYTES + 1L;
    long blockBytes = (long) LENGTH_BYTES + compressor.maxCompressedLength(BLOCK_BYTES);
    return HEADER_BYTES + blocks * blockBytes + LENGTH_BYTES;
  }

  @Override
  public void pack(ByteBuffer source, ByteBuffer target) {
    ByteBuffer out = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(Lz4Unpacker.MAGIC);
    out.put((byte) Lz4Unpacker.FIXED_FLAGS).put(BLOCK_SIZE).put(headerChecksum);
    while (source.hasRemaining()) {
      packBlock(source, out);
    }
    out.putInt(0);
    target.position(out.position());
  }

  private void packBlock(ByteBuffer source, ByteBuffer out) {
    int blockBytes = Math.min(BLOCK_BYTES, source.remaining());
    int lengthAt = out.position();
    int blockAt = lengthAt + LENGTH_BYTES;
    int packedBytes =
        compressor.compress(
            source, source.position(), blockBytes, out, blockAt, out.limit() - blockAt);
    if (packedBytes < blockBytes) {
      out.putInt(packedBytes).position(blockAt + packedBytes);
    } else {
      out.putInt(blockBytes | Lz4Unpacker.STORED_BIT);
      out.put(source.slice(source.position(), blockBytes));
    }
    source.position(source.position() + blockBytes);
  }
}
