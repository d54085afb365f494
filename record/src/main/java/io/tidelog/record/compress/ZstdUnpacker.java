package io.tidelog.record.compress;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.tidelog.record.Unpacker;
import java.nio.ByteBuffer;

/**
 * Reads zstd frames, one after another. Memory is the frame's window, of which zstd touches only
 * what the data fill, up to 128 MiB; a state that has seen a large frame is not kept.
 */
final class ZstdUnpacker implements Unpacker, NativeState {
  private static final long RETAINED_BYTES = 8 << 20;

  private final Scratch input = new Scratch();
  private ZstdDecompressCtx zstd = new ZstdDecompressCtx();
  private ByteBuffer in;
  private boolean isWithinFrame;
  private long unpackedBytes;

  @Override
  public void open(ByteBuffer packed) {
    if (unpackedBytes > RETAINED_BYTES) {
      zstd.close();
      zstd = new ZstdDecompressCtx();
    } else {
      zstd.reset();
    }
    in = input.directViewOf(packed);
    isWithinFrame = false;
    unpackedBytes = 0;
  }

  @Override
  public void read(ByteBuffer target) {
    int start = target.position();
    try {
      while (target.hasRemaining() && (in.hasRemaining() || isWithinFrame)) {
        step(target);
      }
    } catch (ZstdException e) {
      throw Damage.of("zstd", e.getMessage());
    }
    unpackedBytes += target.position() - start;
  }

  @Override
  public void free() {
    zstd.close();
  }

  private void step(ByteBuffer target) {
    int targetBefore = target.position();
    int inBefore = in.position();
    isWithinFrame = !zstd.decompressDirectByteBufferStream(target, in);
    boolean stuck = target.position() == targetBefore && in.position() == inBefore;
    if (stuck && isWithinFrame) {
      throw Damage.of("zstd", "the frame is cut");
    }
  }
}
