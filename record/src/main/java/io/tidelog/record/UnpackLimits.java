package io.tidelog.record;

/**
 * How much a packed batch may unpack to. A batch without compression needs no such limit.
 *
 * @param memoryBytes most memory: the largest record, and the largest batch that is to be packed
 *     anew
 * @param batchBytes all records together, which bounds the time that reading takes
 */
public record UnpackLimits(int memoryBytes, long batchBytes) {
  /** Records up to 64 MiB, batches up to 1 GiB. */
  public static final UnpackLimits DEFAULT = new UnpackLimits(64 << 20, 1L << 30);

  /** Checks that both are positive. */
  public UnpackLimits {
    if (memoryBytes <= 0 || batchBytes <= 0) {
      throw new IllegalArgumentException(
          "limits are " + memoryBytes + " and " + batchBytes + " bytes, expected more than 0");
    }
  }
}
