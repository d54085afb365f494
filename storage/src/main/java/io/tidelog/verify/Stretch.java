package io.tidelog.verify;

/**
 * Bytes of a log that are not sound batches.
 *
 * @param position where they begin
 * @param end where the next sound batch begins, or the log ends
 * @param offset the offset that was expected there
 * @param nextOffset that of the next sound batch, {@link #NONE} if there is none
 * @param found what is there
 * @param expected what should be there
 */
record Stretch(int position, int end, long offset, long nextOffset, String found, String expected) {
  static final long NONE = -1;

  boolean isTail() {
    return nextOffset == NONE;
  }
}
