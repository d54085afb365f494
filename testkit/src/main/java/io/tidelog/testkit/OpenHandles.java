package io.tidelog.testkit;

import java.util.IdentityHashMap;

/** What is open, and who opened it. Guarded by the disk. */
final class OpenHandles {
  private final IdentityHashMap<Object, Exception> openedBy = new IdentityHashMap<>();

  void opened(Object handle, String what) {
    openedBy.put(handle, new IllegalStateException(what + " was opened here"));
  }

  /** Whether it was open. */
  boolean closed(Object handle) {
    return openedBy.remove(handle) != null;
  }

  void requireNone() {
    if (openedBy.isEmpty()) {
      return;
    }
    IllegalStateException failure =
        new IllegalStateException("%d left open, see below".formatted(openedBy.size()));
    openedBy.values().forEach(failure::addSuppressed);
    throw failure;
  }
}
