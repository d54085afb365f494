package io.tidelog.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loops of a server, and what concerns them all. */
final class LoopGroup {
  private static final Logger LOG = LoggerFactory.getLogger(LoopGroup.class);

  /** How much longer than draining the end of a loop may take: its current task has to return. */
  private static final long END_MS = 10_000;

  private final Service service;
  private final List<Loop> loops = new ArrayList<>();
  private final AtomicInteger openConnections = new AtomicInteger();
  private Runnable whenOneCloses = () -> {};
  private int nextLoop;

  private LoopGroup(Service service) {
    this.service = service;
  }

  static LoopGroup open(Service service, int size, LongSupplier nanoClock) throws IOException {
    LoopGroup group = new LoopGroup(service);
    try {
      for (int number = 0; number < size; number++) {
        group.loops.add(Loop.open(group, nanoClock, number));
      }
      return group;
    } catch (IOException e) {
      for (Loop loop : group.loops) {
        loop.selector().close();
      }
      throw e;
    }
  }

  Service service() {
    return service;
  }

  /** The loop that accepts. */
  Loop first() {
    return loops.get(0);
  }

  /** The loop for the next connection, in turn. For the accepting loop alone. */
  Loop next() {
    nextLoop = (nextLoop + 1) % loops.size();
    return loops.get(nextLoop);
  }

  /**
   * Starts the threads; from then on, {@code whenOneCloses} runs on a loop whenever a connection
   * has closed.
   */
  void start(Runnable whenOneCloses) {
    this.whenOneCloses = whenOneCloses;
    loops.forEach(Loop::start);
  }

  int openConnections() {
    return openConnections.get();
  }

  void connectionOpened() {
    openConnections.incrementAndGet();
  }

  void connectionClosed() {
    openConnections.decrementAndGet();
    whenOneCloses.run();
  }

  /** Has every loop close the connections that hold memory with a frame that does not go on. */
  void closeStalled() {
    onEach(Loop::closeStalled);
  }

  /** Lets all loops drain and end, and waits for their threads. */
  void close() {
    onEach(Loop::drain);
    boolean isInterrupted = false;
    for (Loop loop : loops) {
      try {
        if (!loop.join(service.limits().drainMs() + END_MS)) {
          LOG.error("{} does not end: a request handler does not return", loop);
        }
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void onEach(Consumer<Loop> action) {
    for (Loop loop : loops) {
      try {
        loop.execute(() -> action.accept(loop));
      } catch (RejectedExecutionException e) {
        LOG.debug("{} has ended already", loop);
      }
    }
  }
}
