package io.tidelog.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * SIGTERM and SIGINT as a request to stop. A command that listens for it ends by itself, and the
 * process then has that command's exit code; a command that does not is ended as the system does.
 */
public final class StopSignal implements StopRequest {
  private final AtomicReference<Runnable> action = new AtomicReference<>();
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile int exitCode;

  private StopSignal() {}

  /** Begins to listen, for the rest of the life of the process. */
  public static StopSignal install() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::asked, "stop-signal"));
    return signal;
  }

  @Override
  public void whenAsked(Runnable newAction) {
    action.set(newAction);
  }

  /** The command has ended and all its output is written: ends the process. */
  public void exit(int code) {
    exitCode = code;
    finished.countDown();
    System.exit(code);
  }

  /** Runs when the JVM goes down, for a signal or because of {@link #exit}. */
  private void asked() {
    Runnable toRun = action.get();
    if (toRun == null || finished.getCount() == 0) {
      return;
    }
    toRun.run();
    try {
      finished.await();
    } catch (InterruptedException e) {
      return;
    }
    // The JVM would end with 128 and the signal's number, whatever the command answered.
    Runtime.getRuntime().halt(exitCode);
  }
}
