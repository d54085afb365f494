package io.tidelog.log;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Who hears of a log's moves. Thousands may come and go with every move, so neither costs more for
 * there being others; a move that nobody waits for costs one look. From any thread; listeners are
 * called outside of the lock and may come and go meanwhile.
 */
final class LogListeners {
  private static final LogListener[] NONE = {};

  private final Set<LogListener> listeners = new LinkedHashSet<>();
  private volatile boolean isEmpty = true;

  synchronized void add(LogListener listener) {
    listeners.add(listener);
    isEmpty = false;
  }

  synchronized void remove(LogListener listener) {
    listeners.remove(listener);
    isEmpty = listeners.isEmpty();
  }

  /** Tells everyone who listens now. */
  void tell(PartitionLog log) {
    if (!isEmpty) {
      for (LogListener listener : all()) {
        listener.moved(log);
      }
    }
  }

  private synchronized LogListener[] all() {
    return listeners.toArray(NONE);
  }
}
