package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Whether a log has the name of another place: its first batches are sound and follow one another,
 * but cannot lie where the name says. Then the name is wrong and not the batches.
 */
final class LogName {
  private final Target target;
  private final NavigableSet<Long> bases;
  private final long base;

  /**
   * @param bases of the partition's logs
   * @param base that in the log's name
   */
  LogName(Target target, NavigableSet<Long> bases, long base) {
    this.target = target;
    this.bases = bases;
    this.base = base;
  }

  /**
   * What its batches say.
   *
   * @param first the offset of the first one
   * @param end the offset after the last one
   * @param isWhole whether nothing but sound batches lies in it
   */
  private record Found(long first, long end, boolean isWhole) {}

  /** Whether the batches at its start belong elsewhere. */
  boolean isWrong(LogSurvey contents) throws IOException {
    boolean startsDamaged =
        !contents.damage().isEmpty() && contents.damage().get(0).part().from() == 0;
    return startsDamaged && found().isPresent();
  }

  /** The step that gives it the right name; empty if that place is taken or uncertain. */
  Optional<RepairStep> rename() throws IOException {
    Found found = found().orElseThrow();
    Long before = without(bases.headSet(found.first, true)).floor(found.first);
    Long after = without(bases).higher(found.first);
    boolean fits =
        found.isWhole
            && (before == null || (before < found.first && target.endOf(before) == found.first))
            && (after == null || found.end <= after);
    if (!fits) {
      return Optional.empty();
    }
    Path right = target.path(found.first, SegmentFiles.LOG);
    return Optional.of(
        RepairStep.of(
            Kind.RENAME_LOG,
            target.path(base, SegmentFiles.LOG),
            "name it %s: its batches begin at offset %d"
                .formatted(right.getFileName(), found.first),
            quarantine -> {
              for (String suffix : SegmentFiles.DATA_SUFFIXES) {
                Path cache = target.path(base, suffix);
                if (!suffix.equals(SegmentFiles.LOG)) {
                  quarantine.keep(cache);
                  target.remove(cache);
                }
              }
              target.disk().rename(target.path(base, SegmentFiles.LOG), right);
              target.disk().syncDirectory(target.folder());
            }));
  }

  private NavigableSet<Long> without(NavigableSet<Long> some) {
    NavigableSet<Long> others = new TreeSet<>(some);
    others.remove(base);
    return others;
  }

  /** The base offset of one batch alone lies outside of its CRC, so one proves nothing. */
  private Optional<Found> found() throws IOException {
    List<DamagedStretch> damage = new ArrayList<>();
    try (DiskFile log = target.disk().openReadOnly(target.path(base, SegmentFiles.LOG))) {
      LogPart all =
          new LogPart(0, Math.toIntExact(log.sizeBytes()), LogPart.AS_FOUND, LogPart.OPEN);
      SoundWalk walk =
          SoundWalk.over(log, new SoundWalk.Reading(all, SoundWalk.Trust.NONE, damage::add));
      if (!walk.next() || walk.position() > 0 || walk.batch().baseOffset() == base) {
        return Optional.empty();
      }
      long first = walk.batch().baseOffset();
      long end = walk.batch().nextOffset();
      int firstEnd = walk.end();
      if (!walk.next() || walk.position() != firstEnd || walk.batch().baseOffset() != end) {
        return Optional.empty();
      }
      do {
        end = walk.batch().nextOffset();
      } while (walk.next());
      return Optional.of(new Found(first, end, damage.isEmpty()));
    }
  }
}
