package io.tidelog.store;

import io.tidelog.log.ColdCheck;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.PartitionLog;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * Reads segments that nobody writes to any more, slowly, to find damage before a consumer does.
 * Each byte is read once after a start, and no more of them in a second than is allowed. What is
 * found is told as any other damage, once.
 */
final class Scrub {
  private static final long PERIOD_MS = 1000;

  private final Surroundings around;
  private final Supplier<Collection<PartitionLog>> logs;
  private final long bytesPerSecond;
  private final Map<PartitionLog, ColdCheck> checks = new WeakHashMap<>();

  /**
   * @param bytesPerSecond most bytes to read in a second; 0: none
   */
  Scrub(Surroundings around, Supplier<Collection<PartitionLog>> logs, long bytesPerSecond) {
    this.around = around;
    this.logs = logs;
    this.bytesPerSecond = bytesPerSecond;
  }

  void start() {
    if (bytesPerSecond > 0) {
      around.scheduler().every(PERIOD_MS, this::step);
    }
  }

  /** What may be read in one period. */
  private synchronized void step() {
    long left = bytesPerSecond * PERIOD_MS / 1000;
    for (PartitionLog log : logs.get()) {
      if (left > 0) {
        left -= check(log, left);
      }
    }
  }

  private long check(PartitionLog log, long most) {
    ColdCheck check = checks.computeIfAbsent(log, ColdCheck::new);
    long bytes = 0;
    try {
      int step;
      do {
        step = check.step((int) Math.min(most - bytes, Integer.MAX_VALUE));
        bytes += step;
      } while (step > 0 && bytes < most);
    } catch (LogClosedException goneMeanwhile) {
      // There is nothing to check.
    } catch (IOException e) {
      around
          .events()
          .happened(
              StoreEvents.Kind.FAILED,
              "scrub of %s failed and is tried again: %s"
                  .formatted(log.topicPartition(), e.getMessage()));
    }
    return bytes;
  }
}
