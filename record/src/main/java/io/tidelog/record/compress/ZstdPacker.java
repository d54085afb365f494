package io.tidelog.record.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.tidelog.record.Packer;
import java.nio.ByteBuffer;

/** Writes one zstd frame. */
final class ZstdPacker implements Packer, NativeState {
  private final ZstdCompressCtx zstd = new ZstdCompressCtx();

  ZstdPacker(int level) {
    zstd.setLevel(level);
  }

  @Override
  public long maxPackedBytes(int unpackedBytes) {
    return Zstd.compressBound(unpackedBytes);
  }

  @Override
  public void pack(ByteBuffer source, ByteBuffer target) {
    int packedBytes =
        zstd.compressDirectByteBuffer(
            target,
            target.position(),
            target.remaining(),
            source,
            source.position(),
            source.remaining());
    target.position(target.position() + packedBytes);
    source.position(source.limit());
  }

  @Override
  public void free() {
    zstd.close();
  }
}
