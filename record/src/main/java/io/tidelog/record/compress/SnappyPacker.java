package io.tidelog.record.compress;

import io.tidelog.record.Packer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/** Writes what {@link SnappyUnpacker} describes, in blocks of 32 KiB. */
final class SnappyPacker implements Packer {
  private static final int BLOCK_BYTES = 32 << 10;
  private static final int LENGTH_BYTES = 4;

  @Override
  public long maxPackedBytes(int unpackedBytes) {
    long blocks = unpackedBytes / BLOCK_BYTES + 1L;
    return SnappyUnpacker.HEADER_BYTES
        + blocks * (LENGTH_BYTES + Snappy.maxCompressedLength(BLOCK_BYTES));
  }

  @Override
  public void pack(ByteBuffer source, ByteBuffer target) {
    target.putLong(SnappyUnpacker.MAGIC);
    target.putInt(SnappyUnpacker.VERSION).putInt(SnappyUnpacker.VERSION);
    while (source.hasRemaining()) {
      int blockBytes = Math.min(BLOCK_BYTES, source.remaining());
      int lengthAt = target.position();
      ByteBuffer block = source.slice(source.position(), blockBytes);
      ByteBuffer room = target.slice(lengthAt + LENGTH_BYTES, target.remaining() - LENGTH_BYTES);
      int packedBytes = packBlock(block, room);
      target.putInt(packedBytes).position(lengthAt + LENGTH_BYTES + packedBytes);
      source.position(source.position() + blockBytes);
    }
  }

  private static int packBlock(ByteBuffer block, ByteBuffer room) {
    try {
      return Snappy.compress(block, room);
    } catch (IOException e) {
      throw new UncheckedIOException("snappy cannot pack a block", e);
    }
  }
}
