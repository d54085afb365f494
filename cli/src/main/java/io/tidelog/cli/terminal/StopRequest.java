package io.tidelog.cli.terminal;

/** How a command that runs until it is told to stop hears of that. */
public interface StopRequest {

  /**
   * Has this run, on another thread, once the command is to stop. A later action takes its place.
   */
  void whenAsked(Runnable action);
}
