package io.tidelog.recovery;

import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.segment.SegmentFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Says in one line each which records of a partition are not there, though they should be. */
final class LossReport {
  private static final String RECOVERY_POINTS = Kind.RECOVERY_POINT.fileName();
  private static final String STARTS = Kind.LOG_START.fileName();
  private static final String RESTORE =
      "To have them back, stop, put the missing files in place again, and see that the partition's"
          + " offset in "
          + STARTS
          + " is not above them";

  private final Path directory;
  private final KnownState known;
  private final Consumer<String> repairs;

  /**
   * @param directory the partition's folder
   * @param known what the checkpoints say
   * @param repairs told of each loss
   */
  LossReport(Path directory, KnownState known, Consumer<String> repairs) {
    this.directory = directory;
    this.known = known;
    this.repairs = repairs;
  }

  /** The log ends below its recovery point and goes on at an offset. */
  void endsEarly(long end, long goesOnAt) {
    repairs.accept(
        "%s ends at offset %d, expected at least %d, up to where it was on disk according to %s: no record from %d to %d can be read, and the log goes on at %d. %s%s"
            .formatted(
                directory,
                end,
                known.recoveryPoint(),
                RECOVERY_POINTS,
                end,
                known.recoveryPoint() - 1,
                goesOnAt,
                RESTORE,
                goesOnAt == end ? ", before anything is written here" : ""));
  }

  /** There is no log at all, and there was one up to an offset. */
  void hasNoLog(long end) {
    repairs.accept(
        "%s holds no .log file, expected those up to offset %d, which %s names; the log begins there. %s"
            .formatted(directory, end, end == known.start() ? STARTS : RECOVERY_POINTS, RESTORE));
  }

  /** The log ends below its start and goes on at an offset; what was there is kept in files. */
  void endsBelowStart(long end, long goesOnAt, List<Path> kept) {
    repairs.accept(
        "%s ends at offset %d, but begins at %d according to %s: so all of it was deleted, what followed is not on disk, and the log goes on at %d%s"
            .formatted(
                directory,
                end,
                known.start(),
                STARTS,
                goesOnAt,
                kept.isEmpty() ? "" : "; what was here is kept in " + kept));
  }

  /**
   * There is an index without its log, before another segment. A crash explains that beyond the
   * recovery point, and below the start, where segments are dropped; then there is nothing to say.
   */
  void lacks(long baseOffset, long nextBaseOffset) {
    boolean wasThere = known.stop() == KnownState.Stop.CLEAN || baseOffset < known.recoveryPoint();
    if (wasThere && nextBaseOffset > known.start()) {
      repairs.accept(
          "%s is missing, though its index was here: no record from offset %d to %d can be read. %s"
              .formatted(
                  SegmentFiles.path(directory, baseOffset, SegmentFiles.LOG),
                  Math.max(baseOffset, known.start()),
                  nextBaseOffset - 1,
                  RESTORE));
    }
  }
}
