package io.tidelog.recovery;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.disk.Disk;
import io.tidelog.log.LeaderEpochs;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Leader epochs whose file cannot be read are found again in the headers of the batches. */
final class EpochRecovery {
  private final LeaderEpochs epochs;
  private final boolean areLost;

  private EpochRecovery(LeaderEpochs epochs, boolean areLost) {
    this.epochs = epochs;
    this.areLost = areLost;
  }

  /** Reads the file, and says so if that is damaged. */
  static EpochRecovery open(Disk disk, Path directory, Consumer<String> repairs)
      throws IOException {
    LeaderEpochCheckpoint file = new LeaderEpochCheckpoint(disk, directory);
    try {
      return new EpochRecovery(LeaderEpochs.open(file), false);
    } catch (MalformedFileException damage) {
      repairs.accept(damage.getMessage());
      return new EpochRecovery(LeaderEpochs.lost(file), true);
    }
  }

  LeaderEpochs epochs() {
    return epochs;
  }

  /** Finds them if they were lost. What cannot be read of a segment tells none. */
  void complete(List<Segment> segments) throws IOException {
    if (!areLost) {
      return;
    }
    for (Segment segment : segments) {
      noteEpochsOf(segment);
    }
  }

  private void noteEpochsOf(Segment segment) throws IOException {
    try {
      BatchWalk walk = segment.walkFrom(segment.baseOffset(), segment.sizeBytes());
      while (walk.next()) {
        epochs.note(walk.batch().leaderEpoch(), walk.batch().baseOffset());
      }
    } catch (CorruptLogException untilHere) {
      // Whoever reads what follows is told.
    }
  }
}
