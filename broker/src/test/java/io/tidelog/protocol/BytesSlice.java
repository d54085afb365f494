package io.tidelog.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A slice whose bytes are in memory; counts releases. */
final class BytesSlice implements RecordsSlice {
  private final byte[] bytes;
  private final int sizeBytes;
  private int releases;

  BytesSlice(byte[] bytes) {
    this(bytes, bytes.length);
  }

  /** A slice that promises more, or fewer, bytes than there are. */
  BytesSlice(byte[] bytes, int sizeBytes) {
    this.bytes = bytes;
    this.sizeBytes = sizeBytes;
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    int left = bytes.length - Math.toIntExact(position);
    int taken = Math.min(left, Math.toIntExact(count));
    return target.write(ByteBuffer.wrap(bytes, Math.toIntExact(position), taken));
  }

  @Override
  public int read(ByteBuffer target, long position) {
    int count = Math.min(target.remaining(), bytes.length - Math.toIntExact(position));
    target.put(bytes, Math.toIntExact(position), count);
    return count;
  }

  @Override
  public void release() {
    releases++;
  }

  int releases() {
    return releases;
  }
}
