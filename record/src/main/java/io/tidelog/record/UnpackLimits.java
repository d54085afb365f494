package io.tidelog.record;

/**
 * How much a packed batch may unpack to. A batch without compression needs no such limit.
 *
 * @param recordBytes largest record; also bounds the memory that reading takes
 * @param batchBytes all records together; also bounds the time that reading takes
 */
public record UnpackLimits(int recordBytes, long batchBytes) {
  /** Records up to 64 MiB, batches up to 1 GiB. */
  public static final UnpackLimits DEFAULT = new UnpackLimits(64 << 20, 1L << 30);

  /** Checks that both are positive. */
  public UnpackLimits {
    if (recordBytes <= 0 || batchBytes <= 0) {
      throw new IllegalArgumentException(
          "limits are " + recordBytes + " and " + batchBytes + " bytes, expected more than 0");
    }
  }
}
