package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.recovery.InterruptedSwaps;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Segments of a compaction that were about to take the place of others. They do so as at a start,
 * before anything else is looked at: what they replace may seem wrong and is going anyway.
 */
final class SwapRepair {
  private final Target target;

  SwapRepair(Target target) {
    this.target = target;
  }

  /** Whether there are any. */
  boolean isNeeded() throws IOException {
    return target.disk().list(target.folder()).stream()
        .anyMatch(name -> name.endsWith(SegmentFiles.SWAP));
  }

  /** What ends them; empty if one is damaged, for what it replaces may be all that is left. */
  Optional<RepairStep> step() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String name : target.disk().list(target.folder())) {
      Path file = target.folder().resolve(name);
      OptionalLong base = SegmentFiles.baseOffset(name, SegmentFiles.LOG + SegmentFiles.SWAP);
      if (base.isPresent() && !isSound(file, base.getAsLong())) {
        return Optional.empty();
      }
      if (name.endsWith(SegmentFiles.SWAP)
          || name.endsWith(SegmentFiles.CLEANED)
          || SegmentFiles.baseOffset(name, SegmentFiles.LOG).isPresent()) {
        files.add(file);
      }
    }
    return Optional.of(
        RepairStep.of(
            Kind.SETTLE_SWAP,
            target.folder(),
            "finish or undo, as a start does, the swap of compacted segments that was interrupted",
            quarantine -> {
              for (Path file : files) {
                quarantine.keep(file);
              }
              InterruptedSwaps.settle(target.disk(), target.folder());
              target.disk().syncDirectory(target.folder());
            }));
  }

  private boolean isSound(Path log, long base) throws IOException {
    List<DamagedStretch> damage = new ArrayList<>();
    try (DiskFile file = target.disk().openReadOnly(log)) {
      if (file.sizeBytes() > Integer.MAX_VALUE) {
        return false;
      }
      LogPart all = new LogPart(0, (int) file.sizeBytes(), base, LogPart.OPEN);
      SoundWalk walk =
          SoundWalk.over(file, new SoundWalk.Reading(all, SoundWalk.Trust.NONE, damage::add));
      boolean isMore = true;
      while (isMore) {
        isMore = walk.next();
      }
    }
    return damage.isEmpty();
  }
}
