package io.tidelog.net;

import io.tidelog.protocol.EventLoop;
import io.tidelog.protocol.Peer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop: a thread with a selector that owns some of the connections. Each round it serves
 * the sockets that are ready, then what other threads have queued, then what is due, then
 * connections with answers to send.
 */
final class Loop implements EventLoop, Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final int SCRATCH_BYTES = 256 << 10;
  private static final int TASKS_PER_ROUND = 1024;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long IDLE_CHECKS_PER_PERIOD = 8;

  /** What a selection key of a loop stands for. */
  interface Selectable {
    /** The channel is ready for something that its key asks for. */
    void selected();

    /** {@link #selected} threw this; it is not called again unless the key stays. */
    void failed(Throwable cause);
  }

  private final LoopGroup group;
  private final Service service;
  private final Selector selector;
  private final LongSupplier nanoClock;
  private final Thread thread;
  private final Timers timers = new Timers();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isAsleep = new AtomicBoolean();
  private final Set<Connection> connections = new HashSet<>();
  private final Deque<Connection> queued = new ArrayDeque<>();
  private final StarvedConnections starved;
  private boolean isDraining;
  private volatile boolean hasEnded;

  private Loop(LoopGroup group, Selector selector, LongSupplier nanoClock, int number) {
    this.group = group;
    this.service = group.service();
    this.selector = selector;
    this.nanoClock = nanoClock;
    this.starved = new StarvedConnections(this, group);
    this.thread = new Thread(this, "tidelog-loop-" + number);
  }

  static Loop open(LoopGroup group, LongSupplier nanoClock, int number) throws IOException {
    return new Loop(group, Selector.open(), nanoClock, number);
  }

  void start() {
    thread.start();
  }

  Service service() {
    return service;
  }

  Selector selector() {
    return selector;
  }

  /** Where the connection whose turn it is writes its answers. */
  ByteBuffer scratch() {
    return scratch;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (hasEnded && tasks.remove(task)) {
      throw new RejectedExecutionException(thread.getName() + " has ended");
    }
    if (!isCurrent() && isAsleep.getAndSet(false)) {
      selector.wakeup();
    }
  }

  @Override
  public Timeout schedule(Runnable task, long delayMs) {
    if (!isCurrent()) {
      throw new IllegalStateException("schedule was called outside of " + thread.getName());
    }
    return timers.schedule(task, delayMs, nanoTime());
  }

  @Override
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  @Override
  public long nanoTime() {
    return nanoClock.getAsLong();
  }

  /** The name of the thread. */
  @Override
  public String toString() {
    return thread.getName();
  }

  @Override
  public void run() {
    watchIdle();
    while (!hasEnded) {
      try {
        select();
        runTasks();
        timers.expire(nanoTime(), this::guard);
        takeTurns();
      } catch (Throwable e) {
        report(e);
      }
    }
    finish();
  }

  /** Takes a new connection on. */
  void adopt(SocketChannel channel, Peer peer) throws IOException {
    SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
    Connection connection = new Connection(this, channel, key, peer);
    key.attach(connection);
    connections.add(connection);
    service.events().connectionOpened();
    if (isDraining) {
      connection.close();
    }
  }

  /** The connection has closed. */
  void forget(Connection connection) {
    connections.remove(connection);
    service.events().connectionClosed();
    group.connectionClosed();
    endIfDrained();
  }

  /** Gives the connection a turn before the loop sleeps again. */
  void queue(Connection connection) {
    queued.add(connection);
  }

  /** Lets the connection read on when there is memory again. */
  void starve(Connection connection) {
    service.events().receiveMemorySpent();
    starved.add(connection);
  }

  /** Closes connections that hold memory with a frame that hardly goes on. */
  void closeStalled() {
    long now = nanoTime();
    for (Connection connection : List.copyOf(connections)) {
      if (connection.isStalled(now)) {
        connection.closeSilent("too little came of it while the receive memory is spent,");
      }
    }
  }

  /** Stops reading; ends when all answers under way have been sent, or when the time is over. */
  void drain() {
    isDraining = true;
    List.copyOf(connections).forEach(Connection::drain);
    timers.schedule(this::end, service.limits().drainMs(), nanoTime());
    endIfDrained();
  }

  /** Waits for the thread to end, if it is not the caller's; returns whether it has. */
  boolean join(long timeoutMs) throws InterruptedException {
    if (!isCurrent()) {
      thread.join(timeoutMs);
    }
    return !thread.isAlive() || isCurrent();
  }

  private void select() throws IOException {
    Thread.interrupted(); // an interrupt left by somebody's task would close every channel that is
    // touched next
    long waitNanos = queued.isEmpty() ? timers.delayNanos(nanoTime()) : 0;
    isAsleep.set(true);
    boolean mustNotWait = waitNanos == 0 || !tasks.isEmpty() || hasEnded;
    if (mustNotWait) {
      isAsleep.set(false);
      selector.selectNow(this::serve);
    } else {
      long waitMs = waitNanos < 0 ? 0 : (waitNanos + NANOS_PER_MS - 1) / NANOS_PER_MS;
      selector.select(this::serve, waitMs);
      isAsleep.set(false);
    }
  }

  private void serve(SelectionKey key) {
    if (!key.isValid()) {
      return;
    }
    Selectable selectable = (Selectable) key.attachment();
    try {
      selectable.selected();
    } catch (Throwable e) {
      selectable.failed(e);
    }
  }

  private void runTasks() {
    Runnable task;
    for (int run = 0; run < TASKS_PER_ROUND && (task = tasks.poll()) != null; run++) {
      guard(task);
    }
  }

  private void takeTurns() {
    for (int left = queued.size(); left > 0; left--) {
      Connection connection = queued.remove();
      try {
        connection.takeQueuedTurn();
      } catch (Throwable e) {
        connection.failed(e);
      }
    }
  }

  private void guard(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      report(e);
    }
  }

  private void report(Throwable error) {
    try {
      LOG.error("{} goes on after an error of the broker", thread.getName(), error);
    } catch (Throwable unreportable) {
      // There is no memory even to say so. The loop must go on all the same.
    }
  }

  private void watchIdle() {
    long idleMs = service.limits().idleMs();
    long now = nanoTime();
    for (Connection connection : List.copyOf(connections)) {
      if (connection.isIdle(now, idleMs * NANOS_PER_MS)) {
        connection.closeSilent("it was idle for " + idleMs + " ms");
      }
    }
    timers.schedule(this::watchIdle, Math.max(1, idleMs / IDLE_CHECKS_PER_PERIOD), now);
  }

  private void endIfDrained() {
    if (isDraining && connections.isEmpty()) {
      end();
    }
  }

  private void end() {
    hasEnded = true;
  }

  private void finish() {
    List.copyOf(connections).forEach(Connection::close);
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      guard(task);
    }
    try {
      selector.close();
    } catch (IOException e) {
      LOG.warn("Closing the selector of {} failed", thread.getName(), e);
    }
  }
}
