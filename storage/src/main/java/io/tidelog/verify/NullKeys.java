package io.tidelog.verify;

/**
 * Records without a key.
 *
 * @param count how many
 * @param firstAt the position of the first batch that has one
 */
record NullKeys(long count, int firstAt) {
  static final NullKeys NONE = new NullKeys(0, 0);

  /** These and those that come later. */
  NullKeys plus(NullKeys later) {
    return new NullKeys(count + later.count, count > 0 ? firstAt : later.firstAt);
  }
}
