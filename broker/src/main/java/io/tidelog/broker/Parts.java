package io.tidelog.broker;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What has been opened, to be closed the other way round. */
final class Parts implements Closeable {
  private final Deque<Closeable> opened = new ArrayDeque<>();

  /** Remembers a part and gives it back. */
  <T extends Closeable> T add(T part) {
    opened.push(part);
    return part;
  }

  /** Closes every part, also after one has failed. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (IOException | RuntimeException e) {
        IOException here = e instanceof IOException io ? io : new IOException(e);
        if (failure == null) {
          failure = here;
        } else {
          failure.addSuppressed(here);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
