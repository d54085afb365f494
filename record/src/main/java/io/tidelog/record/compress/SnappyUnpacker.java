package io.tidelog.record.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/**
 * Reads snappy in the frames of snappy-java: a header, then blocks of their length and their bytes.
 *
 * <pre>
 *  at  size  field              meaning
 *   0     8  magic              82 53 4e 41 50 50 59 00
 *   8     4  version            1
 *  12     4  compatibleVersion  1
 *  16     4  blockLength        bytes of the block
 *  20     …  block              snappy's own format
 *   …        …                  more blocks, or more headers with blocks
 * </pre>
 *
 * <p>Data without the magic are one block without length, as other clients send it. Numbers are
 * big-endian. A block says how long it is unpacked; as no block can unpack to more than 22 times
 * its size, a longer claim is refused unheard.
 */
final class SnappyUnpacker extends BlockUnpacker {
  static final long MAGIC = 0x82534e4150505900L;
  static final int HEADER_BYTES = 16;
  static final int VERSION = 1;

  private static final int MAGIC_START = (int) (MAGIC >>> 32);
  private static final int LENGTH_BYTES = 4;
  private static final int MOST_GROWTH = 22;

  private final Scratch input = new Scratch();
  private final Scratch output = new Scratch();
  private ByteBuffer in;
  private boolean isRaw;

  @Override
  public void open(ByteBuffer packed) {
    clear();
    in = input.directViewOf(packed);
    isRaw = in.remaining() < HEADER_BYTES || in.getLong(in.position()) != MAGIC;
    if (!in.hasRemaining()) {
      throw Damage.of("snappy", "there are none");
    }
    if (!isRaw) {
      in.position(in.position() + HEADER_BYTES);
    }
  }

  @Override
  ByteBuffer nextBlock() {
    if (isRaw) {
      return in.hasRemaining() ? unpack(in.remaining()) : null;
    }
    while (in.remaining() >= LENGTH_BYTES) {
      int length = in.getInt();
      if (length == MAGIC_START) {
        skipHeader();
      } else if (length < 0 || length > in.remaining()) {
        throw Damage.of(
            "snappy", "block length is " + length + ", but " + in.remaining() + " bytes are left");
      } else {
        return unpack(length);
      }
    }
    return null;
  }

  private void skipHeader() {
    int start = in.position() - LENGTH_BYTES;
    if (in.limit() - start < HEADER_BYTES
        || in.getLong(start) != MAGIC
        || in.getInt(start + Long.BYTES) < VERSION) {
      throw Damage.of("snappy", "a header between blocks is cut or wrong");
    }
    in.position(start + HEADER_BYTES);
  }

  private ByteBuffer unpack(int length) {
    ByteBuffer block = in.slice(in.position(), length);
    in.position(in.position() + length);
    try {
      int unpackedBytes = Snappy.uncompressedLength(block);
      if (unpackedBytes < 0 || unpackedBytes > (long) MOST_GROWTH * length) {
        throw Damage.of(
            "snappy", "a block of " + length + " bytes claims to unpack to " + unpackedBytes);
      }
      ByteBuffer unpacked = output.ofBytes(unpackedBytes);
      Snappy.uncompress(block, unpacked);
      return unpacked;
    } catch (IOException e) {
      throw Damage.of("snappy", e.getMessage());
    }
  }
}
