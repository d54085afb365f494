package io.tidelog.recovery;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.disk.Disk;
import io.tidelog.log.LeaderEpochs;
import io.tidelog.producer.OffsetRange;
import io.tidelog.segment.Extent;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Leader epochs whose file is missing or cannot be read are found again in the headers of the
 * batches.
 */
final class EpochRecovery {
  private final LeaderEpochs epochs;
  private final State state;
  private final long knownFrom;
  private final Path path;
  private final Consumer<String> repairs;

  /** What became of the file. */
  private enum State {
    READ,
    MISSING,
    UNREADABLE
  }

  private EpochRecovery(LeaderEpochs epochs, State state, Path path, Consumer<String> repairs) {
    this.epochs = epochs;
    this.state = state;
    this.knownFrom = epochs.begin();
    this.path = path;
    this.repairs = repairs;
  }

  /** Reads the file, and says so if that is damaged. */
  static EpochRecovery open(Disk disk, Path directory, Consumer<String> repairs)
      throws IOException {
    LeaderEpochCheckpoint file = new LeaderEpochCheckpoint(disk, directory);
    Path path = directory.resolve(LeaderEpochCheckpoint.FILE_NAME);
    try {
      State state = disk.exists(path) ? State.READ : State.MISSING;
      return new EpochRecovery(LeaderEpochs.open(file), state, path, repairs);
    } catch (MalformedFileException damage) {
      repairs.accept(damage.getMessage());
      return new EpochRecovery(LeaderEpochs.lost(file), State.UNREADABLE, path, repairs);
    }
  }

  LeaderEpochs epochs() {
    return epochs;
  }

  /**
   * Finds them if they were lost, in all batches that are sound. A file that is missing is no loss
   * where nothing was durable, or no batch has an epoch. They begin where the log does, whether the
   * first batch is sound or not: a start that contradicts them would be taken for damage.
   */
  void complete(List<Segment> segments, OffsetRange log) throws IOException {
    if (state == State.READ) {
      if (knownFrom <= log.start()) {
        epochs.reachBackTo(log.start()); // a batch whose epoch is damaged hides those before it
      }
      return;
    }
    long first = segments.get(0).baseOffset();
    int known = epochs.at(first);
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      long next = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : log.end();
      SoundWalk walk =
          segment.batches().walkFrom(segment.baseOffset(), new Extent(segment.sizeBytes(), next));
      while (walk.next()) {
        epochs.note(walk.batch().leaderEpoch(), walk.batch().baseOffset());
      }
    }
    epochs.reachBackTo(log.start());
    if (state == State.MISSING && epochs.at(first) != known) {
      repairs.accept(path + " is missing; the epochs were found again in the batches");
    }
  }
}
