package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;

/**
 * What a control record says. Its key is the same for all types; a reader takes a later version as
 * if it were 0, and passes over types that it does not know.
 *
 * <pre>
 *  at  size  field    meaning
 *   0     2  version  0
 *   2     2  type     0 to 6, in the order here
 * </pre>
 */
public enum ControlType {
  /** The end of a transaction that is as if it had never been. Value: {@link EndTransaction}. */
  ABORT(0),
  /** The end of a transaction that counts. Value: {@link EndTransaction}. */
  COMMIT(1),
  LEADER_CHANGE(2),
  SNAPSHOT_HEADER(3),
  SNAPSHOT_FOOTER(4),
  KRAFT_VERSION(5),
  KRAFT_VOTERS(6),
  /** A type from a later version. */
  UNKNOWN(-1);

  static final int KEY_BYTES = 4;
  private static final int TYPE_AT = 2;
  private static final ControlType[] BY_CODE = values();

  private final int code;

  ControlType(int code) {
    this.code = code;
  }

  /**
   * The type that a control record's key names.
   *
   * @throws InvalidBatchException (INVALID_RECORD) if the key is null, cut or has a negative
   *     version
   */
  public static ControlType ofKey(ByteBuffer key) {
    if (key == null || key.remaining() < KEY_BYTES) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD,
          "control record key has "
              + (key == null ? 0 : key.remaining())
              + " bytes, expected 4 or more");
    }
    short version = key.getShort(key.position());
    if (version < 0) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD,
          "control record key version is " + version + ", expected 0 or more");
    }
    int code = key.getShort(key.position() + TYPE_AT);
    return code < 0 || code > KRAFT_VOTERS.code ? UNKNOWN : BY_CODE[code];
  }

  /** The key of a control record of this type. */
  public ByteBuffer key() {
    if (this == UNKNOWN) {
      throw new IllegalArgumentException("an unknown control type cannot be written");
    }
    return ByteBuffer.allocate(KEY_BYTES).putShort((short) 0).putShort((short) code).flip();
  }
}
