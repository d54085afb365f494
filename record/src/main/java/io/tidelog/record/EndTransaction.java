package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;

/**
 * The value of a control record that ends a transaction.
 *
 * <pre>
 *  at  size  field             meaning
 *   0     2  version           0
 *   2     4  coordinatorEpoch  epoch of the coordinator that wrote it
 * </pre>
 */
public record EndTransaction(int coordinatorEpoch) {
  private static final int VALUE_BYTES = 6;
  private static final int COORDINATOR_EPOCH_AT = 2;

  /**
   * Reads a value; a later version is read as 0.
   *
   * @throws InvalidBatchException (INVALID_RECORD) if it is null, cut or has a negative version
   */
  public static EndTransaction ofValue(ByteBuffer value) {
    if (value == null || value.remaining() < VALUE_BYTES) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD,
          "end of transaction has "
              + (value == null ? 0 : value.remaining())
              + " bytes, expected 6 or more");
    }
    short version = value.getShort(value.position());
    if (version < 0) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD,
          "end of transaction version is " + version + ", expected 0 or more");
    }
    return new EndTransaction(value.getInt(value.position() + COORDINATOR_EPOCH_AT));
  }

  /** The bytes of the value. */
  public ByteBuffer value() {
    return ByteBuffer.allocate(VALUE_BYTES).putShort((short) 0).putInt(coordinatorEpoch).flip();
  }
}
