package io.tidelog.handler;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The fetches that wait, so that they can be sent home when the broker stops. */
final class ParkedFetches {
  private final Set<FetchWait> parked = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Whether nothing may wait any more. */
  boolean isClosed() {
    return closed;
  }

  /** The fetch waits. It looks at {@link #isClosed} once more after this. */
  void add(FetchWait fetch) {
    parked.add(fetch);
  }

  void remove(FetchWait fetch) {
    parked.remove(fetch);
  }

  /** Has every fetch answer with what there is; from any thread. */
  void close() {
    closed = true;
    parked.forEach(FetchWait::hurry);
  }
}
