package io.tidelog.record.compress;

import io.tidelog.record.Unpacker;
import java.nio.ByteBuffer;

/** Unpacks data that come in blocks, each of which is unpacked at once. */
abstract class BlockUnpacker implements Unpacker {
  private ByteBuffer block;

  /** Forgets the block of the data before. */
  final void clear() {
    block = null;
  }

  /**
   * The next block, unpacked, which may be empty; null after the last one. Valid until the next
   * call.
   */
  abstract ByteBuffer nextBlock();

  @Override
  public final void read(ByteBuffer target) {
    while (target.hasRemaining()) {
      if (block == null || !block.hasRemaining()) {
        block = nextBlock();
        if (block == null) {
          return;
        }
      }
      int count = Math.min(block.remaining(), target.remaining());
      target.put(target.position(), block, block.position(), count);
      target.position(target.position() + count);
      block.position(block.position() + count);
    }
  }
}
