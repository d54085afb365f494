package io.tidelog.net;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one loop that are not read because the receive memory is spent. They go on,
 * the longest waiting first, when some is released; while any wait, frames that hardly go on are
 * looked for on all loops.
 */
final class StarvedConnections {
  private static final Logger LOG = LoggerFactory.getLogger(StarvedConnections.class);
  private static final long STALL_CHECK_MS = 1_000;

  private final Loop loop;
  private final LoopGroup group;
  private final Deque<Connection> waiting = new ArrayDeque<>();
  private boolean isAwaitingRelease;
  private boolean isWatchingStalls;

  StarvedConnections(Loop loop, LoopGroup group) {
    this.loop = loop;
    this.group = group;
  }

  /** Lets the connection wait for memory. */
  void add(Connection connection) {
    waiting.add(connection);
    awaitRelease();
    if (!isWatchingStalls) {
      isWatchingStalls = true;
      loop.schedule(this::watchStalls, STALL_CHECK_MS);
    }
  }

  private void awaitRelease() {
    if (!isAwaitingRelease) {
      isAwaitingRelease = true;
      group.service().pool().whenReleased(this::released);
      feed(); // some may have been released before the pool knew of us
    }
  }

  /** Called on whatever thread released memory. */
  private void released() {
    try {
      loop.execute(
          () -> {
            isAwaitingRelease = false;
            feed();
            if (!waiting.isEmpty()) {
              awaitRelease();
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("{} has ended and needs no memory", loop);
    }
  }

  private void feed() {
    waiting.removeIf(Connection::feed);
  }

  private void watchStalls() {
    isWatchingStalls = !waiting.isEmpty();
    if (isWatchingStalls) {
      group.closeStalled();
      loop.schedule(this::watchStalls, STALL_CHECK_MS);
    }
  }
}
