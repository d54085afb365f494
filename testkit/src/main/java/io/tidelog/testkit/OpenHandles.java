package io.tidelog.testkit;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is open, and who opened it. A sweep opens millions of files, so only the nearest frames are
 * looked at, and they become text only if something is left open. Guarded by the disk.
 */
final class OpenHandles {
  private static final StackWalker STACK = StackWalker.getInstance();
  private static final int FRAMES = 20;

  private final IdentityHashMap<Object, Opened> openedBy = new IdentityHashMap<>();

  /** What was opened, and the frames that did it. */
  private record Opened(String kind, Object path, List<StackWalker.StackFrame> frames) {
    private Exception told() {
      Exception told = new IllegalStateException(kind + " " + path + " was opened here");
      told.setStackTrace(
          frames.stream()
              .map(StackWalker.StackFrame::toStackTraceElement)
              .toArray(StackTraceElement[]::new));
      return told;
    }
  }

  void opened(Object handle, String kind, Object path) {
    openedBy.put(handle, new Opened(kind, path, STACK.walk(OpenHandles::nearest)));
  }

  private static List<StackWalker.StackFrame> nearest(Stream<StackWalker.StackFrame> frames) {
    return frames.limit(FRAMES).toList();
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
    openedBy.values().forEach(opened -> failure.addSuppressed(opened.told()));
    throw failure;
  }
}
