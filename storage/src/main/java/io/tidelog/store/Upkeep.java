package io.tidelog.store;

import io.tidelog.log.LogClosedException;
import io.tidelog.log.LogView;
import io.tidelog.log.PartitionLog;
import io.tidelog.retention.Retention;
import io.tidelog.retention.Verdict;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The background work of a store. What fails for one log is told and does not stop the others; it
 * is tried again the next time.
 */
final class Upkeep {
  private static final long PRODUCER_EXPIRY_INTERVAL_MS = 600_000;

  private final Surroundings around;
  private final Supplier<Collection<PartitionLog>> logs;
  private final Predicate<PartitionLog> isBusy;
  private final Work<Void> checkpoints;

  /** A piece of work that may fail. */
  @FunctionalInterface
  private interface Work<T> {
    void on(T target) throws IOException;
  }

  /** Writes the checkpoint files. */
  @FunctionalInterface
  interface Checkpoints {
    void save() throws IOException;
  }

  /**
   * @param isBusy whether a log's segments are just being compacted, so that retention waits
   */
  Upkeep(
      Surroundings around,
      Supplier<Collection<PartitionLog>> logs,
      Predicate<PartitionLog> isBusy,
      Checkpoints checkpoints) {
    this.around = around;
    this.logs = logs;
    this.isBusy = isBusy;
    this.checkpoints = nothing -> checkpoints.save();
  }

  void start(StoreSettings settings) {
    Scheduler scheduler = around.scheduler();
    scheduler.every(settings.retentionCheckIntervalMs(), this::enforceRetention);
    scheduler.every(
        settings.flushCheckIntervalMs(), () -> onEachLog("flush", PartitionLog::flushIfDue));
    scheduler.every(
        settings.checkpointIntervalMs(), () -> attempt("writing checkpoints", checkpoints, null));
    scheduler.every(
        PRODUCER_EXPIRY_INTERVAL_MS,
        () -> onEachLog("expiry of producers", PartitionLog::expireProducers));
  }

  void enforceRetention() {
    onEachLog("retention", this::dropCondemned);
  }

  /** The same for one log, now that nothing else is done with it. */
  void enforceRetentionOf(PartitionLog log) {
    attempt("retention of " + log.topicPartition(), this::dropCondemned, log);
  }

  private void dropCondemned(PartitionLog log) throws IOException {
    if (isBusy.test(log) || log.isClosed()) {
      return;
    }
    LogView view = log.view();
    List<Verdict> condemned =
        Retention.choose(log.segments(), view, log.settings(), around.clock().millis());
    if (condemned.isEmpty()) {
      return;
    }
    Verdict last = condemned.get(condemned.size() - 1);
    int dropped = log.dropSegmentsBelow(last.endOffset());
    around
        .events()
        .happened(
            StoreEvents.Kind.DELETED,
            log.topicPartition()
                + ": dropped "
                + dropped
                + " segments below offset "
                + last.endOffset()
                + " by retention ("
                + last.reason()
                + ")");
  }

  private void onEachLog(String what, Work<PartitionLog> work) {
    for (PartitionLog log : logs.get()) {
      attempt(what + " of " + log.topicPartition(), work, log);
    }
  }

  private <T> void attempt(String what, Work<T> work, T target) {
    try {
      work.on(target);
    } catch (LogClosedException goneMeanwhile) {
      // Deleted, or failed and told already.
    } catch (IOException e) {
      around
          .events()
          .happened(
              StoreEvents.Kind.FAILED, what + " failed and is tried again: " + e.getMessage());
    }
  }
}
