package io.tidelog.repair;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.log.LeaderEpochs;
import io.tidelog.log.LogProducers;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.Extent;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.file.Path;

/** Makes what a partition has beside its logs again from these, which are sound by now. */
final class CacheRepair {
  private final Target target;

  CacheRepair(Target target) {
    this.target = target;
  }

  /** Both indexes of a segment. */
  RepairStep indexes(long baseOffset) {
    return RepairStep.of(
        Kind.REBUILD_INDEXES,
        target.path(baseOffset, SegmentFiles.LOG),
        "make its .index and .timeindex again from it",
        quarantine -> {
          for (String suffix : new String[] {SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX}) {
            quarantine.keep(target.path(baseOffset, suffix));
            target.remove(target.path(baseOffset, suffix));
          }
          rebuildIndexes(baseOffset);
        });
  }

  private void rebuildIndexes(long baseOffset) throws IOException {
    Segment segment = Segment.open(target.setting(), baseOffset);
    try {
      segment.syncIndexes();
      target.disk().syncDirectory(target.folder());
    } finally {
      segment.unpin();
    }
  }

  /** The aborted transactions of a segment. */
  RepairStep aborted(long baseOffset) {
    Path index = target.path(baseOffset, SegmentFiles.TXN_INDEX);
    return RepairStep.of(
        Kind.REBUILD_ABORTED,
        index,
        "find its aborted transactions again in the log",
        quarantine -> {
          quarantine.keep(index);
          target.withSegments(
              segments -> {
                LogProducers producers = producers();
                for (int i = 0; i < segments.size(); i++) {
                  Segment segment = segments.get(i);
                  if (segment.baseOffset() == baseOffset) {
                    LogProducers then = producers.before(baseOffset, segments.subList(0, i));
                    long end =
                        i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : LogPart.OPEN;
                    segment.aborted().replace(sink -> then.replay(segment, end, 0, sink));
                  }
                }
              });
        });
  }

  private LogProducers producers() throws IOException {
    return LogProducers.open(target.disk(), target.folder(), target.partition());
  }

  /** A snapshot that is wrong goes. */
  RepairStep removeSnapshot(Path snapshot, String why) {
    return RepairStep.of(
        Kind.REMOVE_SNAPSHOT,
        snapshot,
        "remove it: " + why,
        quarantine -> {
          quarantine.keep(snapshot);
          target.remove(snapshot);
        });
  }

  /** A snapshot of the producers at the log's end. */
  RepairStep snapshotAtEnd() {
    return RepairStep.of(
        Kind.WRITE_SNAPSHOT,
        target.folder(),
        "write a snapshot of the producers at the log's end, found in the log",
        quarantine ->
            target.withSegments(
                segments -> {
                  long end = endOf(segments.get(segments.size() - 1));
                  LogProducers then = producers().before(end, segments);
                  then.writeSnapshot(end);
                }));
  }

  private static Extent whole(Segment segment) {
    return new Extent(segment.sizeBytes(), LogPart.OPEN);
  }

  private static long endOf(Segment segment) throws IOException {
    long end = segment.baseOffset();
    SoundWalk walk = segment.batches().walkFrom(end, whole(segment));
    while (walk.next()) {
      end = walk.batch().nextOffset();
    }
    return end;
  }

  /**
   * The leader epochs, the first of which begins where the log does.
   *
   * @param savedStart the log start offset that the checkpoint has, 0 if none
   */
  RepairStep epochs(long savedStart) {
    Path file = target.folder().resolve(LeaderEpochCheckpoint.FILE_NAME);
    return RepairStep.of(
        Kind.REBUILD_EPOCHS,
        file,
        "find the leader epochs again in the batches",
        quarantine -> {
          quarantine.keep(file);
          target.withSegments(
              segments -> {
                LeaderEpochs epochs =
                    LeaderEpochs.lost(new LeaderEpochCheckpoint(target.disk(), target.folder()));
                for (Segment segment : segments) {
                  SoundWalk walk = segment.batches().walkFrom(segment.baseOffset(), whole(segment));
                  while (walk.next()) {
                    epochs.note(walk.batch().leaderEpoch(), walk.batch().baseOffset());
                  }
                }
                epochs.advanceTo(Math.max(savedStart, segments.get(0).baseOffset()));
                epochs.save();
              });
        });
  }

  /** The log goes on at an offset, so that those below it are not given to other records. */
  RepairStep goOnAt(long offset, String why) {
    return RepairStep.of(
        Kind.GO_ON_AT,
        target.path(offset, SegmentFiles.LOG),
        "begin it, so that the log goes on at offset %d: %s".formatted(offset, why),
        quarantine -> {
          Segment segment = Segment.create(target.setting(), offset);
          try {
            segment.syncLog();
            segment.syncIndexes();
            target.disk().syncDirectory(target.folder());
          } finally {
            segment.unpin();
          }
        });
  }
}
