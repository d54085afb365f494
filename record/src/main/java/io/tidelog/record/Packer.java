package io.tidelog.record;

import java.nio.ByteBuffer;

/** Packs the records of one batch after another. Used by one thread. */
public interface Packer {

  /** Most bytes that {@link #pack} writes for so many bytes. */
  long maxPackedBytes(int unpackedBytes);

  /**
   * Packs the bytes between the source's position and limit into the target, and moves both
   * positions. Both buffers are direct; the target has room for {@link #maxPackedBytes}.
   */
  void pack(ByteBuffer source, ByteBuffer target);
}
