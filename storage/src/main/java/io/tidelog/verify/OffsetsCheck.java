package io.tidelog.verify;

import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.segment.SegmentFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Compares what the data directory's checkpoints say of a partition with where its log ends. */
final class OffsetsCheck {
  private final PartitionContext context;
  private final DirectoryState state;
  private final FindingList findings;
  private final boolean isClean;

  OffsetsCheck(PartitionContext context, FindingList findings) {
    this.context = context;
    this.state = context.state();
    this.findings = findings;
    this.isClean = state.stop() == Stop.CLEAN;
  }

  /**
   * Compares.
   *
   * @param end the offset after the last sound batch
   */
  void check(List<SegmentFacts> segments, long end) {
    if (state.stop() == Stop.RUNNING || state.stop() == Stop.UNKNOWN) {
      return;
    }
    boolean isTorn =
        segments.stream().anyMatch(segment -> segment.damage().stream().anyMatch(Stretch::isTail));
    checkRecoveryPoint(end, isTorn);
    long knownEnd = Math.max(end, offset(Kind.RECOVERY_POINT).orElse(0));
    checkUpTo(knownEnd, Kind.LOG_START, isTorn);
    checkUpTo(knownEnd, Kind.HIGH_WATERMARK, isTorn);
    checkUpTo(knownEnd, Kind.CLEANER, isTorn);
    if (isClean && !isTorn) {
      offset(Kind.HIGH_WATERMARK)
          .ifPresent(
              highWatermark -> {
                if (highWatermark < end) {
                  tell(
                      FindingKind.HIGH_WATERMARK_BEHIND,
                      Kind.HIGH_WATERMARK,
                      highWatermark,
                      end + ", the log's end");
                }
              });
    }
  }

  private OptionalLong offset(Kind kind) {
    return state.offset(kind, context.partition()).stream().mapToLong(offset -> offset).findFirst();
  }

  private void checkRecoveryPoint(long end, boolean isTorn) {
    OptionalLong point = offset(Kind.RECOVERY_POINT);
    if (point.isEmpty()) {
      return;
    }
    if (point.getAsLong() > end && !isTorn) {
      Path last =
          context.files().logs().isEmpty()
              ? context.files().folder()
              : context.files().path(context.files().logs().last(), SegmentFiles.LOG);
      findings.add(
          Finding.of(
                  FindingKind.END_MISSING,
                  last,
                  0,
                  "a log that ends at offset " + end,
                  "%d or more, as %s has it"
                      .formatted(point.getAsLong(), Kind.RECOVERY_POINT.fileName()))
              .about(end, point.getAsLong()));
    } else if (isClean && point.getAsLong() < end) {
      tell(
          FindingKind.RECOVERY_POINT_BEHIND,
          Kind.RECOVERY_POINT,
          point.getAsLong(),
          end + ", the log's end");
    }
  }

  private void checkUpTo(long end, Kind kind, boolean isTorn) {
    OptionalLong offset = offset(kind);
    if (offset.isPresent() && offset.getAsLong() > end && !isTorn) {
      tell(pastEnd(kind), kind, offset.getAsLong(), "at most %d, the log's end".formatted(end));
    }
  }

  private FindingKind pastEnd(Kind kind) {
    if (!isClean) {
      return FindingKind.OFFSET_PAST_END_AFTER_CRASH;
    }
    return kind == Kind.LOG_START ? FindingKind.START_PAST_END : FindingKind.OFFSET_PAST_END;
  }

  private void tell(FindingKind kind, Kind checkpoint, long offset, String expected) {
    Path folder = context.files().folder();
    Path directory =
        folder.getParent() == null ? folder.toAbsolutePath().getParent() : folder.getParent();
    findings.add(
        Finding.of(
            kind,
            directory.resolve(checkpoint.fileName()),
            0,
            "%s %d".formatted(context.partition(), offset),
            expected));
  }
}
