package io.tidelog.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A slice whose bytes are in memory; counts releases. */
final class BytesSlice implements RecordsSlice {
  private final byte[] bytes;
  private int releases;

  BytesSlice(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public int sizeBytes() {
    return bytes.length;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return target.write(ByteBuffer.wrap(bytes, Math.toIntExact(position), Math.toIntExact(count)));
  }

  @Override
  public void release() {
    releases++;
  }

  int releases() {
    return releases;
  }
}
