package io.tidelog.store;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.Relocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The way of one partition to another data directory. Its copy grows step by step in the
 * background; the last step switches.
 *
 * <p>The folders change names in this order, each durably before the next. So at most one is live,
 * and what a power cut leaves tells how far it was ({@link InterruptedMoves}):
 *
 * <ol>
 *   <li>The copy, {@code <partition>.<id>-future}, is complete, and the checkpoints of its
 *       directory name the partition.
 *   <li>The old folder becomes {@code <partition>.<id>-delete}, with the same id.
 *   <li>The copy becomes {@code <partition>}.
 * </ol>
 */
final class LogMove {
  private final Surroundings around;
  private final PartitionLog log;
  private final DataDirectory target;
  private final Way way;
  private final String uniqueId;
  private final Path copy;
  private volatile boolean isCancelled;
  private volatile Relocation relocation;
  private boolean isCopyNeeded;

  /**
   * What a move needs of the store.
   *
   * @param logs what the logs take from outside
   * @param directoryOf the directory that a log lies in
   * @param logsIn the logs that lie in a directory
   * @param moved runs when the log has arrived
   * @param offsets up to where logs have been compacted
   * @param ended told at the end, in any case
   */
  record Way(
      LogSurroundings logs,
      Function<PartitionLog, DataDirectory> directoryOf,
      Function<DataDirectory, Collection<PartitionLog>> logsIn,
      Runnable moved,
      CleanOffsets offsets,
      Consumer<LogMove> ended) {}

  /**
   * @param uniqueId 32 hex digits
   */
  LogMove(Surroundings around, PartitionLog log, DataDirectory target, Way way, String uniqueId) {
    this.around = around;
    this.log = log;
    this.target = target;
    this.way = way;
    this.uniqueId = uniqueId;
    this.copy =
        target
            .path()
            .resolve(
                PartitionFolder.nameAside(
                    log.topicPartition(), PartitionFolder.State.FUTURE, uniqueId));
  }

  /** Begins in the background. */
  void start() {
    around.scheduler().execute(this::step);
  }

  /** Whether this is the way of a log that nobody has cancelled. */
  boolean isOf(TopicPartition partition) {
    return !isCancelled && log.topicPartition().equals(partition);
  }

  boolean isCancelled() {
    return isCancelled;
  }

  boolean goesTo(DataDirectory directory) {
    return target == directory;
  }

  /** How far it is. */
  MovingLog progress() {
    Relocation copying = relocation;
    Relocation.Progress now =
        copying == null ? new Relocation.Progress(0, log.view().start()) : copying.progress();
    return new MovingLog(
        log.topicPartition(),
        target.path(),
        now.copiedBytes(),
        Math.max(0, log.view().end() - now.copiedTo()));
  }

  /**
   * When this returns the log has either arrived or stays where it is: one that is just about to
   * arrive is waited for.
   */
  synchronized void cancel() {
    isCancelled = true;
  }

  private void step() {
    boolean isOnItsWay = false;
    boolean hasArrived = false;
    try {
      isOnItsWay = !isCancelled && copySome();
      hasArrived = !isOnItsWay && arrive();
    } catch (LogClosedException deletedOrFailed) {
      // There is nothing to move.
    } catch (IOException e) {
      tell("could not be moved to " + target.path() + ": " + e.getMessage());
    } finally {
      if (!isOnItsWay) {
        end();
      }
    }
    if (isOnItsWay) {
      start();
    }
    if (hasArrived) {
      way.moved.run();
    }
  }

  /** Whether there is more to copy. */
  private boolean copySome() throws IOException {
    if (relocation == null) {
      relocation = Relocation.begin(log, way.logs, copy);
      return true;
    }
    return !relocation.copyPiece();
  }

  private synchronized boolean arrive() throws IOException {
    if (isCancelled) {
      return false;
    }
    DataDirectory source = way.directoryOf.apply(log);
    Path aside =
        source
            .path()
            .resolve(
                PartitionFolder.nameAside(
                    log.topicPartition(), PartitionFolder.State.DELETED, uniqueId));
    try {
      relocation.finish(new Renames(source, aside));
    } catch (IOException | RuntimeException e) {
      if (!isCopyNeeded) {
        target.expectNoMore(log);
      }
      throw e;
    }
    target.expectNoMore(log);
    source.forget(way.logsIn.apply(source));
    way.offsets.save();
    around
        .scheduler()
        .after(
            log.settings().fileDeleteDelayMs(), () -> DeletedFolder.removeQuietly(around, aside));
    return true;
  }

  /** The folders' names; see the class. */
  private final class Renames implements Relocation.Renaming {
    private final DataDirectory source;
    private final Path aside;

    Renames(DataDirectory source, Path aside) {
      this.source = source;
      this.aside = aside;
    }

    @Override
    public void prepare() throws IOException {
      target.expect(log);
      target.saveRecoveryPoints(way.logsIn.apply(target));
      target.saveStarts(way.logsIn.apply(target));
    }

    @Override
    public Path carryOut() throws IOException {
      isCopyNeeded = true;
      around.disk().rename(log.directory(), aside);
      around.disk().syncDirectory(source.path());
      Path live = target.path().resolve(log.topicPartition().folderName());
      around.disk().rename(copy, live);
      around.disk().syncDirectory(target.path());
      return live;
    }
  }

  /** Lets go of everything; only while no step runs. */
  void end() {
    way.ended.accept(this);
    try {
      if (relocation != null) {
        relocation.close();
      }
    } catch (IOException e) {
      tell("was copied to " + copy + ", which cannot be closed: " + e.getMessage());
    }
    if (!isCopyNeeded && around.disk().exists(copy)) {
      DeletedFolder.removeQuietly(around, copy);
    }
  }

  private void tell(String what) {
    around.events().happened(StoreEvents.Kind.FAILED, log.topicPartition() + " " + what);
  }
}
