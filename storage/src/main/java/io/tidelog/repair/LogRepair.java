package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.producer.OffsetRange;
import io.tidelog.repair.LogSurvey.Run;
import io.tidelog.repair.RepairStep.Kind;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.OffsetWitness;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes damage out of one log. Sound batches stay byte for byte and keep their offsets.
 *
 * <p>Bracketing: each run of sound batches after the first becomes a log of its own, named by its
 * first offset; the last one first, so that at every moment the logs in place hold all that is
 * sound, some of it perhaps twice. Then the first log is cut to its first run, or goes if damage
 * stands at its start.
 */
final class LogRepair {
  private static final String UNFINISHED = ".cleaned";

  private final Target target;
  private final LogSurvey log;
  private final Copies copies;
  private final boolean isLast;
  private final long knownEnd;
  private final List<RepairStep> steps = new ArrayList<>();

  /**
   * @param log what it holds
   * @param copies what the other logs hold
   * @param nextBase the base offset of the next log, {@link LogPart#OPEN} if there is none
   * @param recoveryPoint up to where the partition was on disk once, 0 if unknown
   */
  LogRepair(Target target, LogSurvey log, Copies copies, long nextBase, long recoveryPoint) {
    this.copies = copies;
    this.target = target;
    this.log = log;
    this.isLast = nextBase == LogPart.OPEN;
    this.knownEnd = isLast ? Math.max(recoveryPoint, log.nextOffset()) : nextBase;
  }

  /** What is to be done; nothing if all of it is sound. */
  List<RepairStep> steps() throws IOException {
    if (log.damage().isEmpty()) {
      return List.of();
    }
    List<DamagedStretch> left = mend();
    if (!steps.isEmpty()) {
      return steps; // the next plan sees what is left then
    }
    for (DamagedStretch stretch : left) {
      if (copies.areContradictedIn(log.baseOffset(), stretch.part())) {
        return steps; // other records for the same offsets: nobody knows which are right
      }
    }
    if (log.runs().isEmpty()) {
      removeOrEmpty();
    } else if (log.runs().size() == 1 && log.runs().get(0).from() == 0) {
      cutTail(left.get(0));
    } else {
      bracket();
    }
    return steps;
  }

  private List<DamagedStretch> mend() throws IOException {
    List<DamagedStretch> left = new ArrayList<>();
    OffsetWitness witness = OffsetWitness.of(target.disk(), target.folder(), log.baseOffset());
    try (DiskFile file = target.disk().openReadOnly(log.file())) {
      for (DamagedStretch stretch : log.damage()) {
        Optional<HeaderMend> mend = HeaderMend.of(file, stretch, witness);
        mend.ifPresentOrElse(this::add, () -> left.add(stretch));
      }
    }
    return left;
  }

  private void add(HeaderMend mend) {
    steps.add(
        RepairStep.of(
            Kind.MEND_HEADER,
            log.file(),
            "mend the header of the batch at byte %d, whose records are whole: %s"
                .formatted(mend.position(), mend.sentence()),
            quarantine -> write(mend, quarantine)));
  }

  private void write(HeaderMend mend, Quarantine quarantine) throws IOException {
    int end = mend.position() + mend.after().limit();
    quarantine.keep(log.file(), mend.position(), end);
    try (DiskFile file = target.disk().open(log.file())) {
      file.write(mend.after().duplicate(), mend.position());
      file.sync();
    }
  }

  private List<OffsetRange> lost() {
    List<OffsetRange> lost = new ArrayList<>();
    for (DamagedStretch stretch : log.damage()) {
      long end = stretch.part().endOffset() == LogPart.OPEN ? knownEnd : stretch.part().endOffset();
      if (stretch.part().firstOffset() < end) {
        lost.add(new OffsetRange(stretch.part().firstOffset(), end));
      }
    }
    return lost;
  }

  private void removeOrEmpty() {
    if (isLast) {
      steps.add(
          new RepairStep(
              Kind.CUT_TAIL,
              log.file(),
              "empty it: none of its %d bytes are a sound batch".formatted(log.sizeBytes()),
              lost(),
              quarantine -> cut(0, quarantine)));
      return;
    }
    steps.add(
        new RepairStep(
            Kind.REMOVE_LOG,
            log.file(),
            "remove it: none of its %d bytes are a sound batch".formatted(log.sizeBytes()),
            lost(),
            this::remove));
  }

  private void remove(Quarantine quarantine) throws IOException {
    quarantine.keep(log.file());
    removeCaches(log.baseOffset());
    target.remove(log.file());
  }

  private void removeCaches(long baseOffset) throws IOException {
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      if (!suffix.equals(SegmentFiles.LOG)) {
        target.remove(target.path(baseOffset, suffix));
      }
    }
  }

  private void cutTail(DamagedStretch tail) {
    int to = tail.part().from();
    steps.add(
        new RepairStep(
            Kind.CUT_TAIL,
            log.file(),
            "cut it from %d to %d bytes, where its last sound batch ends (%s)"
                .formatted(log.sizeBytes(), to, tail.finding()),
            lost(),
            quarantine -> cut(to, quarantine)));
  }

  private void cut(int to, Quarantine quarantine) throws IOException {
    quarantine.keep(log.file(), to, log.sizeBytes());
    truncate(to);
  }

  private void truncate(int to) throws IOException {
    try (DiskFile file = target.disk().open(log.file())) {
      file.truncate(to);
      file.sync();
    }
  }

  private List<Run> moved() {
    boolean staysFirst = log.runs().get(0).from() == 0;
    return log.runs().subList(staysFirst ? 1 : 0, log.runs().size());
  }

  private void bracket() {
    StringBuilder does = new StringBuilder("take out");
    for (DamagedStretch stretch : log.damage()) {
      does.append(stretch.equals(log.damage().get(0)) ? " " : " and ")
          .append(
              "bytes %d to %d (%s)"
                  .formatted(stretch.part().from(), stretch.part().to(), stretch.finding()));
    }
    does.append("; what follows goes on in");
    for (Run run : moved()) {
      does.append(" ").append(logOf(run).getFileName());
    }
    steps.add(
        new RepairStep(Kind.BRACKET, log.file(), does.toString(), lost(), this::takeOutDamage));
  }

  private Path logOf(Run run) {
    return target.path(run.baseOffset(), SegmentFiles.LOG);
  }

  private void takeOutDamage(Quarantine quarantine) throws IOException {
    for (DamagedStretch stretch : log.damage()) {
      quarantine.keep(log.file(), stretch.part().from(), stretch.part().to());
    }
    List<Run> moved = moved();
    for (int i = moved.size() - 1; i >= 0; i--) {
      if (!logOf(moved.get(i)).equals(log.file())) {
        copyOut(moved.get(i));
      }
    }
    boolean staysFirst = log.runs().get(0).from() == 0;
    if (staysFirst) {
      truncate(log.runs().get(0).to());
    } else if (moved.get(0).baseOffset() == log.baseOffset()) {
      copyOut(moved.get(0));
    } else {
      removeCaches(log.baseOffset());
      target.remove(log.file());
    }
  }

  /** Gives a run a log of its own: first under a name that every start removes, then its own. */
  private void copyOut(Run run) throws IOException {
    Path unfinished = logOf(run).resolveSibling(logOf(run).getFileName() + UNFINISHED);
    target.remove(unfinished);
    try (DiskFile from = target.disk().openReadOnly(log.file());
        DiskFile to = target.disk().create(unfinished)) {
      new ByteCopy(from, to).of(run.from(), run.to());
      to.sync();
    }
    removeCaches(run.baseOffset());
    target.disk().rename(unfinished, logOf(run));
    target.disk().syncDirectory(target.folder());
  }
}
