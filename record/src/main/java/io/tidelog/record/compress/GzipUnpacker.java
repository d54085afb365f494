package io.tidelog.record.compress;

import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.Unpacker;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads gzip members, one after another.
 *
 * <pre>
 *  at  size  field   meaning
 *   0     2  magic   1f 8b
 *   2     1  method  8
 *   3     1  flags   bit 1 header CRC, 2 extra field, 3 name, 4 comment
 *   4     6          time, extra flags and system, not looked at
 *  10     …          extra field, name, comment, header CRC, as flagged
 *   …     …  data    deflate
 *   …     4  crc     CRC-32 of the unpacked data
 *   …     4  size    length of the unpacked data, modulo 2^32
 * </pre>
 *
 * <p>Numbers are little-endian. Bytes after a member that do not start another one are not looked
 * at, as in Kafka.
 */
final class GzipUnpacker implements Unpacker, NativeState {
  static final short MAGIC = (short) 0x8b1f;
  static final byte DEFLATE = 8;
  static final int HEADER_BYTES = 10;
  static final int TRAILER_BYTES = 8;

  private static final int HEADER_CRC_FLAG = 1 << 1;
  private static final int EXTRA_FLAG = 1 << 2;
  private static final int NAME_FLAG = 1 << 3;
  private static final int COMMENT_FLAG = 1 << 4;
  private static final int METHOD_AT = 2;
  private static final int FLAGS_AT = 3;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private ByteBuffer in;
  private boolean ended;

  @Override
  public void open(ByteBuffer packed) {
    in = packed.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    ended = false;
    openMember();
  }

  @Override
  public void read(ByteBuffer target) {
    try {
      while (target.hasRemaining() && !ended) {
        step(target);
      }
    } catch (DataFormatException e) {
      throw Damage.of("gzip", String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void free() {
    inflater.end();
  }

  private void step(ByteBuffer target) throws DataFormatException {
    int start = target.position();
    int count = inflater.inflate(target);
    if (count > 0) {
      crc.update(target.slice(start, count));
    } else if (inflater.finished()) {
      checkTrailer();
      openNextMember();
    } else {
      throw Damage.of(
          "gzip", inflater.needsDictionary() ? "a dictionary is needed" : "they are cut");
    }
  }

  private void openNextMember() {
    if (!in.hasRemaining()) {
      ended = true;
      return;
    }
    try {
      openMember();
    } catch (InvalidBatchException e) {
      ended = true;
    }
  }

  private void openMember() {
    int start = in.position();
    require(HEADER_BYTES);
    int flags = in.get(start + FLAGS_AT);
    if (in.getShort(start) != MAGIC || in.get(start + METHOD_AT) != DEFLATE) {
      throw Damage.of("gzip", "the header is wrong");
    }
    in.position(start + HEADER_BYTES);
    if ((flags & EXTRA_FLAG) != 0) {
      require(Short.BYTES);
      int length = Short.toUnsignedInt(in.getShort());
      require(length);
      in.position(in.position() + length);
    }
    if ((flags & NAME_FLAG) != 0) {
      skipText();
    }
    if ((flags & COMMENT_FLAG) != 0) {
      skipText();
    }
    if ((flags & HEADER_CRC_FLAG) != 0) {
      checkHeaderCrc(start);
    }
    inflater.reset();
    inflater.setInput(in);
    crc.reset();
  }

  private void skipText() {
    do {
      require(1);
    } while (in.get() != 0);
  }

  private void checkHeaderCrc(int start) {
    require(Short.BYTES);
    crc.reset();
    crc.update(in.slice(start, in.position() - start));
    if (in.getShort() != (short) crc.getValue()) {
      throw Damage.of("gzip", "CRC of the header does not fit");
    }
  }

  private void checkTrailer() {
    require(TRAILER_BYTES);
    if (in.getInt() != (int) crc.getValue() || in.getInt() != (int) inflater.getBytesWritten()) {
      throw Damage.of("gzip", "CRC or length of the contents does not fit");
    }
  }

  private void require(int count) {
    if (in.remaining() < count) {
      throw Damage.of("gzip", "they are cut");
    }
  }
}
