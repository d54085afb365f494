package io.tidelog.recovery;

import io.tidelog.log.LogSurroundings;
import io.tidelog.recovery.SegmentRecovery.Outcome;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.Rescanned;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a log at its first damage past an offset: after a crash all that was not durable may be torn
 * anywhere, and a log whose records mean nothing without those before them ends at any damage. What
 * is cut is kept in copies, if it holds anything sound.
 */
final class DamageCut {
  private final LogSurroundings around;
  private final SegmentRecovery recovery;
  private final SegmentRemoval removal;

  DamageCut(LogSurroundings around, SegmentRecovery recovery, SegmentRemoval removal) {
    this.around = around;
    this.recovery = recovery;
    this.removal = removal;
  }

  /**
   * Cuts a log that was read.
   *
   * @param fromOffset damage before this offset stays
   * @return what is left, of which the last segment was read once more if it was cut
   */
  Outcome cut(List<Segment> segments, Outcome read, GapRule gaps, long fromOffset)
      throws IOException {
    long end = segments.get(read.first()).baseOffset();
    for (int i = 0; i < read.found().size(); i++) {
      int index = read.first() + i;
      long base = segments.get(index).baseOffset();
      if (i > 0 && base > fromOffset && base != end && gaps == GapRule.DAMAGE) {
        cutFrom(segments, index, end);
        return read.first(i);
      }
      DamagedStretch damage = SegmentRecovery.firstDamage(read.found().get(i), fromOffset);
      if (damage != null) {
        return read.first(i).with(cutAt(segments, index, damage));
      }
      end = read.found().get(i).nextOffset();
    }
    return read;
  }

  /** What a segment is that begins later than the one before it ends. */
  enum GapRule {
    /** As compaction may leave it. */
    NONE,
    /** The end of the earlier one is lost. */
    DAMAGE
  }

  private void cutFrom(List<Segment> segments, int index, long end) throws IOException {
    List<Segment> later = List.copyOf(segments.subList(index, segments.size()));
    List<Path> copies = removal.copies().ofSegments(later);
    removal.remove(segments, later);
    around
        .host()
        .repaired(
            later.get(0)
                + ": the segment before it ends at offset "
                + end
                + ", so the log ends there"
                + LogEnd.kept(copies));
  }

  private Rescanned cutAt(List<Segment> segments, int index, DamagedStretch damage)
      throws IOException {
    Segment damaged = segments.get(index);
    List<Segment> later = List.copyOf(segments.subList(index + 1, segments.size()));
    int from = damage.part().from();
    int before = damaged.sizeBytes();
    List<Path> copies = new ArrayList<>(removal.keepCopyUnlessTorn(damaged, from));
    copies.addAll(removal.copies().ofSegments(later));
    damaged.cutTo(from);
    removal.remove(segments, later);
    Rescanned left = recovery.read(segments, index, Long.MAX_VALUE).last();
    around
        .host()
        .repaired(
            "%s at byte %d: %s; the log was cut there from %d to %d bytes and ends at offset %d%s"
                .formatted(
                    damaged,
                    from,
                    damage.finding(),
                    before,
                    from,
                    left.nextOffset(),
                    LogEnd.kept(copies)));
    return left;
  }
}
