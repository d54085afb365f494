package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.EpochEntry;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.testkit.Property;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leader epochs answer as Kafka's cache of them does, whatever is appended and cut. */
class EpochsLikeKafkaPropertyTest {
  private static final Path FOLDER = Path.of("/orders-0");
  private static final int EPOCHS = 7;
  private static final int OFFSETS = 40;

  /** What can happen to a log. */
  private enum What {
    APPEND,
    CUT_END,
    ADVANCE_START,
    REOPEN
  }

  /** One thing that happens; an epoch is only used by an append. */
  private record Op(What what, int epoch, int offset) {
    static Op random(RandomGenerator random) {
      What what = random.nextInt(3) > 0 ? What.APPEND : What.values()[random.nextInt(4)];
      return new Op(what, random.nextInt(EPOCHS), random.nextInt(OFFSETS));
    }
  }

  @TempDir static Path unused;

  @Test
  void answers_are_the_same() {
    Property.<Op>named("leader epochs answer as Kafka's do")
        .runs(300)
        .operations(30, Op::random)
        .holds(EpochsLikeKafkaPropertyTest::check);
  }

  private static void check(List<Op> operations) throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(FOLDER);
    LeaderEpochs ours = LeaderEpochs.open(new LeaderEpochCheckpoint(disk, FOLDER));
    LeaderEpochFileCache kafkas =
        new LeaderEpochFileCache(
            new TopicPartition("orders", 0), new NoCheckpoint(), new InlineScheduler());
    for (Op op : operations) {
      switch (op.what) {
        case APPEND -> {
          ours.note(op.epoch, op.offset);
          kafkas.assign(op.epoch, op.offset);
        }
        case CUT_END -> {
          ours.truncateTo(op.offset);
          kafkas.truncateFromEndAsyncFlush(op.offset);
        }
        case ADVANCE_START -> {
          ours.advanceTo(op.offset);
          kafkas.truncateFromStartAsyncFlush(op.offset);
        }
        case REOPEN -> {
          ours.save();
          ours = LeaderEpochs.open(new LeaderEpochCheckpoint(disk, FOLDER));
        }
      }
      compare(ours, kafkas, disk);
    }
  }

  private static void compare(LeaderEpochs ours, LeaderEpochFileCache kafkas, SimDisk disk)
      throws IOException {
    assertThat(ours.latest()).isEqualTo(kafkas.latestEpoch().orElse(-1));
    for (int epoch = -1; epoch <= EPOCHS; epoch++) {
      Map.Entry<Integer, Long> end = kafkas.endOffsetFor(epoch, OFFSETS);
      assertThat(ours.endOf(epoch, OFFSETS))
          .as("end of epoch %d", epoch)
          .isEqualTo(new EpochEnd(end.getKey(), end.getValue()));
    }
    for (int offset = 0; offset < OFFSETS; offset++) {
      assertThat(ours.at(offset))
          .as("epoch at %d", offset)
          .isEqualTo(kafkas.epochForOffset(offset).orElse(-1));
    }
    ours.save();
    assertThat(new LeaderEpochCheckpoint(disk, FOLDER).read())
        .isEqualTo(
            kafkas.epochEntries().stream()
                .map(entry -> new EpochEntry(entry.epoch(), entry.startOffset()))
                .toList());
  }

  /** A file that is never written. */
  private static final class NoCheckpoint extends LeaderEpochCheckpointFile {
    NoCheckpoint() throws IOException {
      super(unused.resolve("epochs").toFile(), new LogDirFailureChannel(1));
    }

    @Override
    public List<org.apache.kafka.storage.internals.log.EpochEntry> read() {
      return List.of();
    }

    @Override
    public void write(Collection<org.apache.kafka.storage.internals.log.EpochEntry> epochs) {}

    @Override
    public void writeIfDirExists(
        Collection<org.apache.kafka.storage.internals.log.EpochEntry> epochs) {}
  }

  /** Runs everything at once. */
  private static final class InlineScheduler implements Scheduler {
    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
      task.run();
      return null;
    }

    @Override
    public void resizeThreadPool(int newSize) {}
  }
}
