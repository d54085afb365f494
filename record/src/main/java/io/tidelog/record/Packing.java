package io.tidelog.record;

/**
 * A compression and how hard it tries.
 *
 * @param level what the codec calls its level; a codec without levels has the level 0
 */
public record Packing(Compression compression, int level) {
  /** No compression. */
  public static final Packing NONE = of(Compression.NONE);

  private static final int GZIP_DEFAULT_LEVEL = -1;
  private static final int LZ4_DEFAULT_LEVEL = 9;
  private static final int ZSTD_DEFAULT_LEVEL = 3;

  /**
   * Checks the level.
   *
   * @throws IllegalArgumentException if the codec has no such level
   */
  public Packing {
    if (!hasLevel(compression, level)) {
      throw new IllegalArgumentException(compression + " has no level " + level);
    }
  }

  /** The compression at its default level. */
  public static Packing of(Compression compression) {
    return new Packing(
        compression,
        switch (compression) {
          case NONE, SNAPPY -> 0;
          case GZIP -> GZIP_DEFAULT_LEVEL;
          case LZ4 -> LZ4_DEFAULT_LEVEL;
          case ZSTD -> ZSTD_DEFAULT_LEVEL;
        });
  }

  private static boolean hasLevel(Compression compression, int level) {
    return switch (compression) {
      case NONE, SNAPPY -> level == 0;
      case GZIP -> level == GZIP_DEFAULT_LEVEL || within(level, 1, 9);
      case LZ4 -> within(level, 1, 17);
      case ZSTD -> within(level, -131_072, 22);
    };
  }

  private static boolean within(int level, int least, int most) {
    return least <= level && level <= most;
  }
}
