package io.tidelog.store;

import io.tidelog.compaction.CompactionPlan;
import io.tidelog.compaction.LogCompaction;
import io.tidelog.compaction.Workspace;
import io.tidelog.log.LogChangedException;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.CorruptLogException;
import java.io.IOException;

/** One compaction of one log, step by step in the background. */
final class CompactionRun {
  private static final int STEP_BYTES = 4 << 20;

  private final Surroundings around;
  private final PartitionLog log;
  private final CompactionPlan plan;
  private final Workspace tools;
  private final Way way;
  private LogCompaction compaction;
  private boolean isEnded;

  /**
   * What a run needs of the store.
   *
   * @param logs what the logs take from outside
   * @param throttle for all runs
   * @param offsets where it is noted how far it came
   * @param ended told once, in any case
   */
  record Way(LogSurroundings logs, Throttle throttle, CleanOffsets offsets, Ended ended) {}

  /** Hears how a run ended. */
  interface Ended {
    /** All is done that was planned, or as much as the memory allows. */
    void compacted(CompactionRun run);

    /** The log was closed, or is no longer what it was. */
    void overtaken(CompactionRun run);

    /** Nothing more can be done until something is repaired. */
    void blocked(CompactionRun run, Exception why);

    /** The disk failed. */
    void failed(CompactionRun run, IOException why);
  }

  /** How a run ended. */
  @FunctionalInterface
  private interface Report {
    void to(Ended ended);
  }

  CompactionRun(
      Surroundings around, PartitionLog log, CompactionPlan plan, Workspace tools, Way way) {
    this.around = around;
    this.log = log;
    this.plan = plan;
    this.tools = tools;
    this.way = way;
  }

  PartitionLog log() {
    return log;
  }

  CompactionPlan plan() {
    return plan;
  }

  Workspace tools() {
    return tools;
  }

  /** Begins in the background. */
  void start() {
    around.scheduler().execute(this::step);
  }

  private void step() {
    Report report = stepOrEnd();
    if (report != null) {
      report.to(way.ended);
    }
  }

  /** How it ended; null if it goes on or somebody has stopped it. */
  private synchronized Report stepOrEnd() {
    if (isEnded) {
      return null;
    }
    try {
      long moved = compactSome();
      if (!compaction.isDone()) {
        around.scheduler().after(way.throttle.delayMs(moved), this::step);
        return null;
      }
      way.offsets.advance(log, compaction.compactedTo());
      tellWhatWasDone();
      return end(ended -> ended.compacted(this));
    } catch (LogChangedException | LogClosedException notOurs) {
      return end(ended -> ended.overtaken(this));
    } catch (CorruptLogException | RuntimeException damage) {
      return end(ended -> ended.blocked(this, damage));
    } catch (IOException e) {
      Report failure = ended -> ended.failed(this, e);
      Report closed = ended -> ended.overtaken(this);
      return end(log.isClosed() ? closed : failure);
    }
  }

  /** How many bytes went over the disk. */
  private long compactSome() throws IOException {
    if (compaction == null) {
      way.offsets.begin(log, plan.firstDirtyOffset());
      compaction = LogCompaction.begin(log, way.logs, plan, tools);
    }
    long before = compaction.outcome().bytesMoved();
    compaction.step(way.throttle.piece(STEP_BYTES));
    return compaction.outcome().bytesMoved() - before;
  }

  private void tellWhatWasDone() {
    LogCompaction.Outcome outcome = compaction.outcome();
    around
        .events()
        .happened(
            StoreEvents.Kind.COMPACTED,
            "%s: compacted up to offset %d: %d keys from offset %d on, %d bytes in all segments before, %d after"
                .formatted(
                    log.topicPartition(),
                    compaction.compactedTo(),
                    outcome.keys(),
                    plan.firstDirtyOffset(),
                    outcome.bytesCopied(),
                    outcome.bytesWritten()));
  }

  private Report end(Report report) {
    isEnded = true;
    try {
      if (compaction != null) {
        compaction.close();
      }
    } catch (IOException | LogClosedException e) {
      around
          .events()
          .happened(
              StoreEvents.Kind.FAILED,
              "%s: what compaction left could not be removed: %s"
                  .formatted(log.topicPartition(), e.getMessage()));
    }
    return report;
  }

  /** When this returns nothing of the run goes on, and nothing of it is left. */
  synchronized void stop() {
    if (!isEnded) {
      end(ended -> {});
    }
  }
}
