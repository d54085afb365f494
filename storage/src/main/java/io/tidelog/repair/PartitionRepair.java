package io.tidelog.repair;

import io.tidelog.checkpoint.EpochEntry;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.repair.RepairStep.Work;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What is to be done for one partition, by what was found in its folder. */
final class PartitionRepair {
  private static final Set<FindingKind> OF_LOG =
      EnumSet.of(
          FindingKind.BATCH_DAMAGED,
          FindingKind.UNSYNCED_DAMAGE,
          FindingKind.UNSOUND_TAIL,
          FindingKind.TORN_TAIL,
          FindingKind.BASE_OFFSET_WRONG,
          FindingKind.LOG_EXCHANGED,
          FindingKind.OFFSETS_OVERLAP);
  private static final Set<FindingKind> OF_GAP =
      EnumSet.of(FindingKind.OFFSETS_MISSING, FindingKind.OFFSET_GAP);
  private static final Set<FindingKind> OF_LOSS =
      EnumSet.of(FindingKind.OFFSETS_MISSING, FindingKind.UNSYNCED_DAMAGE);
  private static final Set<FindingKind> OF_INDEX =
      EnumSet.of(
          FindingKind.INDEX_MISSING,
          FindingKind.INDEX_EMPTY,
          FindingKind.INDEX_WRONG,
          FindingKind.TIME_INDEX_WRONG,
          FindingKind.TIME_INDEX_INCOMPLETE);
  private static final Set<FindingKind> OF_EPOCHS =
      EnumSet.of(FindingKind.EPOCHS_UNREADABLE, FindingKind.EPOCHS_WRONG);
  private static final Set<FindingKind> OF_SNAPSHOT =
      EnumSet.of(
          FindingKind.SNAPSHOT_DAMAGED, FindingKind.SNAPSHOT_WRONG, FindingKind.SNAPSHOT_MISSING);

  private final Target target;
  private final Checkpoints checkpoints;
  private final CacheRepair caches;
  private final Set<FindingKind> kinds = EnumSet.noneOf(FindingKind.class);
  private final List<Finding> findings;
  private final List<RepairStep> steps = new ArrayList<>();

  /**
   * @param findings those of files in the folder
   */
  PartitionRepair(Target target, Checkpoints checkpoints, List<Finding> findings) {
    this.target = target;
    this.checkpoints = checkpoints;
    this.caches = new CacheRepair(target);
    this.findings = findings;
    findings.forEach(finding -> kinds.add(finding.kind()));
  }

  private boolean has(Set<FindingKind> some) {
    return kinds.stream().anyMatch(some::contains);
  }

  /**
   * The steps, in the order in which they are to be done. What is beside the logs is planned once
   * these are sound: then the next plan has it.
   */
  List<RepairStep> steps() throws IOException {
    SwapRepair swap = new SwapRepair(target);
    if (swap.isNeeded()) {
      return swap.step().stream().toList();
    }
    leftovers();
    if (has(OF_LOG)) {
      logs();
    }
    if (steps.isEmpty() && has(OF_GAP) && checkpoints.areOfCleanStop()) {
      LastOffset.mend(target, checkpoints.offset(Kind.RECOVERY_POINT, target.partition()))
          .ifPresent(steps::add);
    }
    if (steps.isEmpty() && kinds.contains(FindingKind.EPOCH_FALLS)) {
      steps.addAll(EpochMend.of(target));
    }
    if (steps.isEmpty()) {
      endMissing();
      if (has(OF_LOSS)) {
        new LossNote(target).step().ifPresent(steps::add);
      }
      caches();
    }
    return steps;
  }

  private void leftovers() {
    for (Finding finding : findings) {
      if (finding.kind() == FindingKind.LEFTOVER && !target.disk().isDirectory(finding.file())) {
        remove(finding.file(), "remove it: an interrupted step left it");
      } else if (finding.kind() == FindingKind.LOG_MISSING) {
        orphans(finding);
      }
    }
  }

  private void remove(Path file, String does) {
    steps.add(RepairStep.of(RepairStep.Kind.REMOVE_LEFTOVER, file, does, removal(file)));
  }

  private Work removal(Path file) {
    return quarantine -> {
      quarantine.keep(file);
      target.remove(file);
    };
  }

  /** The indexes of a log that is gone. */
  private void orphans(Finding missing) {
    String log = missing.file().getFileName().toString();
    OptionalLong base = SegmentFiles.baseOffset(log, SegmentFiles.LOG);
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      Path file = target.path(base.orElseThrow(), suffix);
      if (target.disk().exists(file)) {
        steps.add(
            new RepairStep(
                RepairStep.Kind.REMOVE_LEFTOVER,
                file,
                "remove it: its log is gone",
                missing.offsets().stream().toList(),
                removal(file)));
      }
    }
  }

  private void logs() throws IOException {
    NavigableSet<Long> bases = new TreeSet<>(target.logs());
    Copies copies = new Copies(target, bases);
    for (long base : bases) {
      Long next = copies.nextThatCounts(base);
      long end = next == null ? LogPart.OPEN : next;
      LogSurvey contents = LogSurvey.read(target.disk(), target.folder(), base, end);
      LogName name = new LogName(target, bases, base);
      if (name.isWrong(contents)) {
        name.rename().ifPresent(steps::add);
        continue;
      }
      Long follower = bases.higher(base);
      steps.addAll(
          new LogRepair(
                  target,
                  contents,
                  copies,
                  next == null && follower != null ? follower : end,
                  checkpoints.offset(Kind.RECOVERY_POINT, target.partition()))
              .steps());
    }
  }

  /** The log ends before an offset up to which it was on disk once. */
  private void endMissing() {
    for (Finding finding : findings) {
      if (finding.kind() == FindingKind.END_MISSING && !checkpoints.isWrong(finding)) {
        steps.add(caches.goOnBehind(finding.offsets().orElseThrow()));
      }
    }
  }

  private void caches() throws IOException {
    for (Finding finding : findings) {
      if (OF_SNAPSHOT.contains(finding.kind()) && isSnapshot(finding.file())) {
        steps.add(caches.removeSnapshot(finding.file(), finding.kind().meaning()));
      }
    }
    basesOf(EnumSet.of(FindingKind.TXN_INDEX_WRONG))
        .forEach(base -> steps.add(caches.aborted(base)));
    // after these: who makes an index durable opens the aborted transactions too
    basesOf(OF_INDEX).forEach(base -> steps.add(caches.indexes(base)));
    if (has(OF_EPOCHS) || areEpochsBeforeFirstLog()) {
      steps.add(caches.epochs(checkpoints.offset(Kind.LOG_START, target.partition())));
    }
    if (has(OF_SNAPSHOT)) {
      steps.add(caches.snapshotAtEnd());
    }
  }

  /** The first log went, and the epochs still begin in it: a start would be refused. */
  private boolean areEpochsBeforeFirstLog() throws IOException {
    NavigableSet<Long> logs = target.logs();
    if (logs.isEmpty()) {
      return false;
    }
    try {
      List<EpochEntry> epochs = new LeaderEpochCheckpoint(target.disk(), target.folder()).read();
      return !epochs.isEmpty()
          && checkpoints.offset(Kind.LOG_START, target.partition()) > 0
          && epochs.get(0).startOffset() < logs.first();
    } catch (MalformedFileException toldAsAFinding) {
      return false;
    }
  }

  private boolean isSnapshot(Path file) {
    return SegmentFiles.baseOffset(file.getFileName().toString(), SegmentFiles.SNAPSHOT).isPresent()
        && target.disk().exists(file);
  }

  private Set<Long> basesOf(Set<FindingKind> some) {
    Set<Long> bases = new TreeSet<>();
    for (Finding finding : findings) {
      if (some.contains(finding.kind())) {
        String name = finding.file().getFileName().toString();
        String suffix = name.substring(name.lastIndexOf('.'));
        SegmentFiles.baseOffset(name, suffix).ifPresent(bases::add);
      }
    }
    return bases;
  }
}
