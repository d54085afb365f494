package io.tidelog.protocol;

/**
 * Serves one API.
 *
 * <p>Runs on the event loop of the request's connection, so it must not wait for a disk, a lock
 * held for long, or another thread. It gives the answer before it returns, or keeps the {@link
 * Answer} and gives it later from any thread.
 *
 * <p>An exception that escapes counts as {@link Answer#fail}.
 */
@FunctionalInterface
public interface RequestHandler {

  /** Serves the request; exactly one of the verbs of {@code answer} must follow, now or later. */
  void handle(Request request, Answer answer);
}
