package io.tidelog.segment;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The names of the files of a segment: its base offset in 20 digits, then a suffix.
 *
 * <pre>
 *  .log        the record batches
 *  .index      offset index, a cache
 *  .timeindex  time index, a cache
 *  .txnindex   aborted transactions
 *  .snapshot   producer state at the base offset
 *  .deleted    after any of these: about to go
 *  .cleaned    after all but the snapshot: being made by compaction
 *  .swap       after all but the snapshot: complete, about to take the place of others
 * </pre>
 */
public final class SegmentFiles {
  public static final String LOG = ".log";
  public static final String OFFSET_INDEX = ".index";
  public static final String TIME_INDEX = ".timeindex";
  public static final String TXN_INDEX = ".txnindex";
  public static final String SNAPSHOT = ".snapshot";
  public static final String DELETED = ".deleted";
  public static final String CLEANED = ".cleaned";
  public static final String SWAP = ".swap";

  /** The suffixes of all files that go with a segment. */
  public static final List<String> DATA_SUFFIXES =
      List.of(LOG, OFFSET_INDEX, TIME_INDEX, TXN_INDEX);

  private static final int OFFSET_DIGITS = 20;

  private SegmentFiles() {}

  /** The path of one file of the segment with this base offset. */
  public static Path path(Path directory, long baseOffset, String suffix) {
    String digits = Long.toString(baseOffset);
    return directory.resolve("0".repeat(OFFSET_DIGITS - digits.length()) + digits + suffix);
  }

  /** The base offset in a file's name, if it has exactly this suffix and form. */
  public static OptionalLong baseOffset(String name, String suffix) {
    if (!name.endsWith(suffix) || name.length() != OFFSET_DIGITS + suffix.length()) {
      return OptionalLong.empty();
    }
    String digits = name.substring(0, OFFSET_DIGITS);
    if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(digits));
    } catch (NumberFormatException tooLarge) {
      return OptionalLong.empty();
    }
  }
}
