package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Harm that is done to the files of a log. What stands beside its {@code .log} files can be made
 * again from them: no reader may notice. The {@code .log} files are harmed in a copy.
 */
final class LogHarm {
  private static final Set<FindingKind> OF_INDEXES =
      EnumSet.of(
          FindingKind.INDEX_MISSING,
          FindingKind.INDEX_EMPTY,
          FindingKind.INDEX_WRONG,
          FindingKind.INDEX_SPARSE,
          FindingKind.INDEX_STALE,
          FindingKind.TIME_INDEX_WRONG,
          FindingKind.TIME_INDEX_INCOMPLETE);

  /** A checkpoint is replaced when there is something new to save. */
  private static final Set<FindingKind> UNTIL_SAVED =
      EnumSet.of(
          FindingKind.CHECKPOINT_UNREADABLE,
          FindingKind.RECOVERY_POINTS_UNREADABLE,
          FindingKind.STARTS_UNREADABLE,
          FindingKind.EPOCHS_UNREADABLE);

  /** Only the cleaner's checkpoint tells that compaction took what verify then looks for. */
  private static final Set<FindingKind> IF_NOT_COMPACTED =
      EnumSet.of(
          FindingKind.OFFSETS_MISSING, FindingKind.TXN_INDEX_WRONG, FindingKind.EPOCHS_WRONG);

  private final LogAndModel both;
  private final ModelLog model;

  /** What verify may find: recovery looks at the newest snapshot only. */
  private final Set<FindingKind> left = EnumSet.of(FindingKind.SNAPSHOT_DAMAGED);

  private boolean touchesMore;

  /** Files that stand beside the {@code .log} files. */
  enum Beside {
    INDEX(".*\\.(time)?index"),
    ABORTED(".*\\.txnindex"),
    PRODUCERS(".*\\.snapshot"),
    CHECKPOINT(".*-checkpoint");

    private final String names;

    Beside(String names) {
      this.names = names;
    }

    /** Those of a partition's folder and of the data directory around it. */
    private List<Path> in(SimDisk disk, Path folder) throws IOException {
      List<Path> found = new ArrayList<>();
      for (Path directory : List.of(folder, folder.getParent())) {
        disk.list(directory).stream()
            .filter(name -> name.matches(names))
            .map(directory::resolve)
            .forEach(found::add);
      }
      return found;
    }
  }

  LogHarm(LogAndModel both, ModelLog model) {
    this.both = both;
    this.model = model;
  }

  /** What verify may find from now on: an index is compared with the log where it is used. */
  FindingKind[] left() {
    return left.toArray(FindingKind[]::new);
  }

  /** Whether a start may tell this, although the last stop was clean. */
  boolean mayTell(String event) {
    return left.containsAll(OF_INDEXES) && event.contains("rebuilt from its log")
        || left.contains(FindingKind.TXN_INDEX_WRONG) && event.contains("found again in its log")
        || left.containsAll(UNTIL_SAVED)
            && event.contains(OffsetCheckpoint.Kind.CLEANER.fileName());
  }

  /** From here on harm to a log touches one batch more than is said. */
  void touchMoreThanIsSaid() {
    touchesMore = true;
  }

  /** Stops the log and does harm to such a file, with or without the marker of a clean stop. */
  void to(Beside kind, int at, int how) throws IOException {
    Path folder = both.log().directory();
    both.stop();
    model.durableTo(model.end());
    List<Path> files = kind.in(both.disk(), folder);
    if (!files.isEmpty()) {
      Path file = files.get(at % files.size());
      byte[] before = new Damage(both.disk()).bytes(file);
      harm(how).to(both.disk(), file);
      note(file);
      if (kind == Beside.PRODUCERS) { // it knew of batches that compaction has taken since
        model.forgetCompactedBatches();
        both.writing().startTransactionalProducersAgain();
      }
      forgetCleanStop(both.disk(), folder.getParent(), how);
      both.settle();
      openOrRestore(file, before);
    } else {
      both.open();
    }
    assertThat(both.log().view().highWatermark()).isEqualTo(model.end());
    startAgain();
    both.reading().allAgrees();
  }

  /** A start that is lost may go back where no record is left below it. */
  private void startAgain() throws IOException {
    if (both.log().view().start() < model.start()) {
      assertThat(both.reading().records()).isEqualTo(model.entries());
      both.log().advanceStart(model.start());
    }
  }

  /** Does harm to an index that is in use. */
  void toOpenIndex(int at, int how) throws IOException {
    List<Path> indexes = Beside.INDEX.in(both.disk(), both.log().directory());
    if (indexes.isEmpty()) {
      return; // removed before
    }
    Path index = indexes.get(at % indexes.size());
    harm(how).to(both.disk(), index);
    note(index);
    both.reading().allAgrees();
  }

  /** What is not guessed is named, and all goes on once it is restored. */
  private void openOrRestore(Path file, byte[] before) throws IOException {
    try {
      both.open();
      if (!both.log().isClosed()) {
        return;
      }
      assertThat(both.lab().events).anyMatch(event -> event.contains(file.toString()));
      both.close();
    } catch (MalformedFileException refused) {
      assertThat(refused).hasMessageContaining(file.toString());
    }
    if (!both.disk().exists(file)) {
      both.disk().create(file).close();
    }
    new Damage(both.disk()).cut(file, 0);
    new Damage(both.disk()).write(file, 0, before);
    both.settle();
    both.open();
  }

  private void note(Path file) {
    String name = file.getFileName().toString();
    if (name.matches(Beside.INDEX.names)) {
      left.addAll(OF_INDEXES);
    } else if (name.matches(Beside.ABORTED.names)) {
      left.add(FindingKind.TXN_INDEX_WRONG); // until a read of committed records relies on it
    } else if (name.matches(Beside.CHECKPOINT.names)) {
      left.addAll(UNTIL_SAVED);
    }
    if (name.equals(OffsetCheckpoint.Kind.CLEANER.fileName())) {
      left.addAll(IF_NOT_COMPACTED);
    }
  }

  private static FileHarm harm(int how) {
    return FileHarm.values()[how % FileHarm.values().length];
  }

  private static void forgetCleanStop(SimDisk disk, Path directory, int how) throws IOException {
    if (how / FileHarm.values().length % 2 == 1) {
      disk.delete(directory.resolve(CleanShutdownMarker.FILE_NAME));
    }
  }

  /** Stops the log and does harm to a batch, or to the end of a file, in a copy of it. */
  void toLog(int at, int how) throws IOException {
    Path folder = both.log().directory();
    both.stop();
    model.durableTo(model.end());
    SimDisk copy = both.copyOfDisk();
    both.open();
    List<FullScan.Batch> batches = FullScan.of(copy, folder).batches();
    if (!batches.isEmpty()) {
      HarmedCopy harmed = new HarmedCopy(both, model, copy, batches);
      harmed.harm(at, how);
      if (touchesMore) {
        harmed.harmInSilence(at);
      }
      forgetCleanStop(copy, folder.getParent(), how);
      harmed.loses();
    }
  }
}
