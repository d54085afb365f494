package io.tidelog.repair;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskLock;
import io.tidelog.disk.DiskLockedException;
import io.tidelog.disk.ReadOnlyDisk;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.verify.Finding;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Repairs a data directory that nobody uses: what a check finds becomes steps, and these are done
 * until a check finds nothing that a step can help. First come the logs, then what is made from
 * them.
 */
public final class Repair {
  private static final int MOST_ROUNDS = 8;
  private static final String LOCK = ".lock";

  private final Disk disk;
  private final Path directory;
  private final VerifyOptions options;

  /**
   * @param directory a data directory
   * @param options how it is checked
   */
  public Repair(Disk disk, Path directory, VerifyOptions options) {
    this.disk = disk;
    this.directory = directory;
    this.options = options;
  }

  /**
   * What would be done.
   *
   * @param steps in the order in which they are done; more may follow from them
   * @param beyond what is wrong and no step helps
   */
  public record Plan(List<RepairStep> steps, List<Finding> beyond) {
    public Plan {
      steps = List.copyOf(steps);
      beyond = List.copyOf(beyond);
    }

    /** Whether there is nothing to do and nothing wrong. */
    public boolean isSound() {
      return steps.isEmpty() && beyond.isEmpty();
    }
  }

  /**
   * Looks, and changes nothing.
   *
   * @throws DiskLockedException if somebody uses the directory, so that a plan would be outdated
   * @throws PartitionFolderException if it is the folder of a single partition
   */
  public Plan plan() throws IOException {
    requireDataDirectory();
    requireUnused();
    return new Planner(new ReadOnlyDisk(disk), directory, options).plan();
  }

  /**
   * Does what a plan says, and what follows from it, and looks again. Nobody can use the directory
   * from before the first look until after the last one: what a step does holds for the bytes that
   * were looked at.
   *
   * @param quarantine the folder that gets a folder with the copies of this run
   * @param listener told of each step before it is done
   * @return what is left: sound, or beyond help
   * @throws DiskLockedException if somebody uses the directory
   * @throws PartitionFolderException if it is the folder of a single partition
   */
  public Plan apply(Path quarantine, Consumer<RepairStep> listener) throws IOException {
    requireDataDirectory();
    Path lockFile = directory.resolve(LOCK);
    DiskLock lock = disk.lock(lockFile);
    try (lock) {
      Disk ours = new LockHolderDisk(disk, lockFile);
      Planner planner = new Planner(ours, directory, options);
      Quarantine kept = Quarantine.next(ours, directory, quarantine);
      Plan plan = planner.plan();
      for (int round = 0; round < MOST_ROUNDS && !plan.steps.isEmpty(); round++) {
        for (RepairStep step : plan.steps) {
          listener.accept(step);
          step.work().run(kept);
        }
        plan = planner.plan();
      }
      return plan;
    }
  }

  /** What a partition is to be is told by its data directory, and the lock is there too. */
  private void requireDataDirectory() throws IOException {
    for (String name : disk.list(directory)) {
      if (SegmentFiles.baseOffset(name, SegmentFiles.LOG).isPresent()) {
        throw new PartitionFolderException(directory);
      }
    }
  }

  private void requireUnused() throws IOException {
    Path lockFile = directory.resolve(LOCK);
    if (disk.exists(lockFile)) {
      try {
        disk.lock(lockFile).close();
      } catch (DiskLockedException used) {
        throw used;
      } catch (IOException notOurs) {
        // Who may only read can look all the same.
      }
    }
  }
}
