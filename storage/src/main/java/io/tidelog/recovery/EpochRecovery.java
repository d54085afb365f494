package io.tidelog.recovery;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.disk.Disk;
import io.tidelog.log.LeaderEpochs;
import io.tidelog.segment.Extent;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SoundWalk;
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

  /** Finds them if they were lost, in all batches that are sound. */
  void complete(List<Segment> segments, long end) throws IOException {
    for (int i = 0; areLost && i < segments.size(); i++) {
      Segment segment = segments.get(i);
      long next = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : end;
      SoundWalk walk =
          segment.batches().walkFrom(segment.baseOffset(), new Extent(segment.sizeBytes(), next));
      while (walk.next()) {
        epochs.note(walk.batch().leaderEpoch(), walk.batch().baseOffset());
      }
    }
  }
}
