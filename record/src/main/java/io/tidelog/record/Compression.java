package io.tidelog.record;

/**
 * How the records of a batch are compressed: attribute bits 0 to 2 hold the code. Codes 5 to 7 mean
 * nothing yet.
 */
public enum Compression {
  NONE(0),
  GZIP(1),
  SNAPPY(2),
  LZ4(3),
  ZSTD(4);

  private static final Compression[] BY_CODE = values();

  private final int code;

  Compression(int code) {
    this.code = code;
  }

  /** The code in the attributes of a batch, 0 to 4. */
  public int code() {
    return code;
  }

  /** Whether {@link #of} accepts the code. */
  public static boolean isKnown(int code) {
    return code >= 0 && code < BY_CODE.length;
  }

  /**
   * The compression with this code.
   *
   * @throws InvalidBatchException (UNSUPPORTED_COMPRESSION) if there is none
   */
  public static Compression of(int code) {
    if (!isKnown(code)) {
      throw new InvalidBatchException(
          InvalidBatchException.Reason.UNSUPPORTED_COMPRESSION,
          "compression code is " + code + ", expected 0 (none) to 4 (zstd)");
    }
    return BY_CODE[code];
  }
}
