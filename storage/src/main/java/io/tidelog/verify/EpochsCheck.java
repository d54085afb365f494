package io.tidelog.verify;

import io.tidelog.checkpoint.EpochEntry;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.SegmentFacts.EpochStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Compares {@code leader-epoch-checkpoint} with the leader epochs that the batches have. */
final class EpochsCheck {
  private final PartitionContext context;
  private final FindingList findings;
  private final Path file;

  EpochsCheck(PartitionContext context, FindingList findings) {
    this.context = context;
    this.findings = findings;
    this.file = context.files().folder().resolve(LeaderEpochCheckpoint.FILE_NAME);
  }

  /**
   * Compares.
   *
   * @param segments of the log
   * @param end the offset after the last batch; the largest there is if it is not known
   */
  void check(List<SegmentFacts> segments, long end) {
    List<EpochEntry> entries;
    try {
      entries = new LeaderEpochCheckpoint(context.disk(), context.files().folder()).read();
    } catch (MalformedFileException damage) {
      findings.add(Malformed.finding(FindingKind.EPOCHS_UNREADABLE, damage));
      return;
    } catch (IOException unreadable) {
      findings.add(Unreadable.finding(file, unreadable));
      return;
    }
    for (SegmentFacts segment : segments) {
      for (EpochStart start : segment.epochs()) {
        compare(entries, start, segment);
      }
    }
    for (EpochEntry entry : entries) {
      if (entry.startOffset() > end) {
        tell(entry.startOffset(), epochText(entry), "none past the log's end, " + end);
      }
    }
  }

  private void compare(List<EpochEntry> entries, EpochStart start, SegmentFacts segment) {
    if (start.offset() < firstKept(entries)) {
      // It began below the log's start, and stands there no more.
      return;
    }
    EpochEntry last = null;
    for (EpochEntry entry : entries) {
      if (entry.startOffset() <= start.offset()) {
        last = entry;
      }
    }
    if (last == null || last.epoch() != start.epoch()) {
      tell(
          start.offset(),
          last == null ? "no epoch for offset " + start.offset() : epochText(last),
          "epoch %d, which the batch at byte %d of %s has"
              .formatted(
                  start.epoch(),
                  start.position(),
                  context.files().path(segment.baseOffset(), SegmentFiles.LOG).getFileName()));
    } else if (last.startOffset() < start.offset() && !isDamagedBefore(start, segment)) {
      requireNoEarlier(last, start);
    }
  }

  /** An epoch may begin in batches that cannot be read. */
  private static boolean isDamagedBefore(EpochStart start, SegmentFacts segment) {
    return segment.damage().stream().anyMatch(stretch -> stretch.offset() < start.offset());
  }

  /** Below it nobody reads, so that no epoch need be known; where none is, the log starts there. */
  private long firstKept(List<EpochEntry> entries) {
    return entries.isEmpty() ? context.start() : entries.get(0).startOffset();
  }

  /** Compaction may have taken an epoch's first batches; nothing else does. */
  private void requireNoEarlier(EpochEntry entry, EpochStart start) {
    if (context.compaction() == PartitionContext.Compaction.NEVER
        && entry.startOffset() >= context.files().logs().first()
        && start.position() > 0) {
      tell(
          start.offset(),
          epochText(entry),
          "epoch %d to begin at offset %d, as its batches have it"
              .formatted(start.epoch(), start.offset()));
    }
  }

  private static String epochText(EpochEntry entry) {
    return "epoch %d beginning at offset %d".formatted(entry.epoch(), entry.startOffset());
  }

  private void tell(long offset, String found, String expected) {
    boolean isOfCrash =
        context.state().stop() == Stop.RUNNING
            || context.state().mayBeTornAt(context.partition(), offset);
    findings.add(
        Finding.of(
            isOfCrash ? FindingKind.EPOCHS_STALE : FindingKind.EPOCHS_WRONG,
            file,
            0,
            found,
            expected));
  }
}
