package io.tidelog.record.compress;

import io.tidelog.record.Packer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes what {@link GzipUnpacker} describes, as one member without optional fields. */
final class GzipPacker implements Packer, NativeState {
  private static final int SLACK_BYTES = 64;
  private static final int BYTES_PER_BYTE_OF_GROWTH = 1024;

  private final Deflater deflater;
  private final CRC32 crc = new CRC32();

  GzipPacker(int level) {
    deflater = new Deflater(level, true);
  }

  @Override
  public long maxPackedBytes(int unpackedBytes) {
    return (long) unpackedBytes
        + unpackedBytes / BYTES_PER_BYTE_OF_GROWTH
        + SLACK_BYTES
        + GzipUnpacker.HEADER_BYTES
        + GzipUnpacker.TRAILER_BYTES;
  }

  @Override
  public void pack(ByteBuffer source, ByteBuffer target) {
    int unpackedBytes = source.remaining();
    crc.reset();
    crc.update(source.duplicate());
    ByteBuffer out = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    out.putShort(GzipUnpacker.MAGIC).put(GzipUnpacker.DEFLATE);
    out.put(new byte[GzipUnpacker.HEADER_BYTES - Short.BYTES - Byte.BYTES]);
    deflater.reset();
    deflater.setInput(source);
    deflater.finish();
    while (!deflater.finished()) {
      deflater.deflate(out);
    }
    out.putInt((int) crc.getValue()).putInt(unpackedBytes);
    target.position(out.position());
  }

  @Override
  public void free() {
    deflater.end();
  }
}
