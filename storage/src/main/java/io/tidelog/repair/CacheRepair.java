package io.tidelog.repair;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.log.LeaderEpochs;
import io.tidelog.log.LogProducers;
import io.tidelog.producer.OffsetRange;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;

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
                  long end = target.end();
                  LogProducers then = producers().before(end, segments);
                  then.writeSnapshot(end);
                }));
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
          LeaderEpochs epochs =
              LeaderEpochs.lost(new LeaderEpochCheckpoint(target.disk(), target.folder()));
          NavigableSet<Long> bases = target.logs();
          for (long base : bases) {
            target.eachBatch(
                base, (position, header) -> epochs.note(header.leaderEpoch(), header.baseOffset()));
          }
          epochs.advanceTo(Math.max(savedStart, bases.isEmpty() ? 0 : bases.first()));
          epochs.save();
        });
  }

  /**
   * The log goes on at the end of offsets that are lost, so that these are not given to other
   * records.
   */
  RepairStep goOnBehind(OffsetRange lost) {
    return new RepairStep(
        Kind.GO_ON_AT,
        target.path(lost.end(), SegmentFiles.LOG),
        "begin it, so that the log goes on at offset %d: records up to there were on disk once and"
                .formatted(lost.end())
            + " are gone",
        List.of(lost),
        quarantine -> {
          Segment segment = Segment.create(target.setting(), lost.end());
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
