package io.tidelog.repair;

import io.tidelog.checkpoint.LostOffsets;
import io.tidelog.checkpoint.LostRange;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.producer.OffsetRange;
import io.tidelog.repair.RepairStep.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Notes the offsets that are missing between the logs of a partition, so that a check can tell this
 * loss from the next one. That they existed the next log's name says.
 */
final class LossNote {
  private final Target target;
  private final Path file;

  LossNote(Target target) {
    this.target = target;
    this.file = target.folder().resolve(LostOffsets.FILE_NAME);
  }

  /** The step that notes what is not noted yet; empty if all of it is. */
  Optional<RepairStep> step() throws IOException {
    List<LostRange> known = known();
    List<LostRange> fresh = missing();
    fresh.removeIf(
        range ->
            known.stream()
                .anyMatch(old -> old.start() <= range.start() && old.end() >= range.end()));
    if (fresh.isEmpty()) {
      return Optional.empty();
    }
    List<OffsetRange> lost =
        fresh.stream().map(range -> new OffsetRange(range.start(), range.end())).toList();
    return Optional.of(
        new RepairStep(
            Kind.NOTE_LOSS,
            file,
            "note that these offsets are gone, so that a check tells only of new losses",
            lost,
            quarantine -> write(known, fresh, quarantine)));
  }

  private void write(List<LostRange> known, List<LostRange> fresh, Quarantine quarantine)
      throws IOException {
    quarantine.keep(file);
    List<LostRange> all = new ArrayList<>(known);
    all.removeIf(
        old ->
            fresh.stream()
                .anyMatch(range -> range.start() <= old.start() && range.end() >= old.end()));
    all.addAll(fresh);
    all.sort(Comparator.comparingLong(LostRange::start));
    new LostOffsets(target.disk(), target.folder()).write(all);
  }

  private List<LostRange> known() throws IOException {
    try {
      return new LostOffsets(target.disk(), target.folder()).read();
    } catch (MalformedFileException damaged) {
      return List.of();
    }
  }

  private List<LostRange> missing() throws IOException {
    List<LostRange> missing = new ArrayList<>();
    NavigableSet<Long> bases = target.logs();
    for (long base : bases) {
      long end = target.endOf(base);
      Long next = bases.higher(base);
      if (next != null && end < next) {
        missing.add(new LostRange(end, next));
      }
    }
    return missing;
  }
}
