package io.tidelog.log;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Commits after a sync that is shared by all appends that came while the one before it ran. One run
 * at a time, on the given executor; each log that was written since is synced once and its high
 * watermark moved to the end that it had when its sync began.
 */
public final class GroupSync implements Commitment {
  private final Executor executor;
  private final Set<PartitionLog> waiting = new LinkedHashSet<>();
  private boolean running;

  public GroupSync(Executor executor) {
    this.executor = executor;
  }

  @Override
  public long highWatermarkAfter(long highWatermark, long end) {
    return highWatermark;
  }

  @Override
  public void written(PartitionLog log) {
    synchronized (waiting) {
      waiting.add(log);
      if (running) {
        return;
      }
      running = true;
    }
    executor.execute(this::run);
  }

  private void run() {
    RuntimeException failure = null;
    for (Set<PartitionLog> round = takeRound(); !round.isEmpty(); round = takeRound()) {
      for (PartitionLog log : round) {
        try {
          log.syncAndCommit();
        } catch (RuntimeException e) {
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private Set<PartitionLog> takeRound() {
    synchronized (waiting) {
      Set<PartitionLog> round = Set.copyOf(waiting);
      waiting.clear();
      running = !round.isEmpty();
      return round;
    }
  }
}
