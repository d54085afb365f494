package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import java.io.Closeable;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The moves of a store's partitions between its data directories, one at a time for each. */
final class LogMoves implements Closeable {
  private final Surroundings around;
  private final LogSurroundings logs;
  private final Placing placing;
  private final Function<DataDirectory, Collection<PartitionLog>> logsIn;
  private final CleanOffsets offsets;
  private final Set<LogMove> running = ConcurrentHashMap.newKeySet();

  /**
   * @param logs what the logs take from outside
   * @param logsIn the logs that lie in a directory
   * @param offsets up to where logs have been compacted
   */
  LogMoves(
      Surroundings around,
      LogSurroundings logs,
      Placing placing,
      Function<DataDirectory, Collection<PartitionLog>> logsIn,
      CleanOffsets offsets) {
    this.around = around;
    this.logs = logs;
    this.placing = placing;
    this.logsIn = logsIn;
    this.offsets = offsets;
  }

  /**
   * Begins a move, in place of another one of this partition, unless that has the same target or
   * the log lies there.
   *
   * @param moved runs when it has succeeded
   */
  synchronized void start(PartitionLog log, DataDirectory target, Runnable moved) {
    Optional<LogMove> other =
        running.stream().filter(move -> move.isOf(log.topicPartition())).findFirst();
    if (other.isPresent() && other.get().goesTo(target)) {
      return;
    }
    other.ifPresent(LogMove::cancel);
    if (!target.holds(log)) {
      String uniqueId =
          "%016x%016x".formatted(around.random().nextLong(), around.random().nextLong());
      LogMove move =
          new LogMove(
              around,
              log,
              target,
              new LogMove.Way(logs, placing::of, logsIn, moved, offsets, running::remove),
              uniqueId);
      running.add(move);
      move.start();
    }
  }

  /** Whether one of this partition is on its way. */
  boolean isMoving(TopicPartition partition) {
    return running.stream().anyMatch(move -> move.isOf(partition));
  }

  /** Those that are on their way, and not cancelled. */
  Collection<MovingLog> running() {
    return running.stream().filter(move -> !move.isCancelled()).map(LogMove::progress).toList();
  }

  /** Ends all, when nothing runs in the background any more: what was copied is removed. */
  @Override
  public void close() {
    running.forEach(LogMove::end);
  }
}
