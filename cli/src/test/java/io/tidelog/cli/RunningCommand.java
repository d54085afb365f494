package io.tidelog.cli;

import io.tidelog.cli.terminal.Streams;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A command that runs until it is asked to stop, on a thread of this process. */
public final class RunningCommand implements AutoCloseable {
  private final AtomicReference<Runnable> stop = new AtomicReference<>();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final BufferedReader out;

  private RunningCommand(BufferedReader out) {
    this.out = out;
  }

  /** Starts a command. */
  public static RunningCommand start(String... args) throws IOException {
    PipedInputStream read = new PipedInputStream(1 << 20);
    PrintStream written =
        new PrintStream(new PipedOutputStream(read), false, StandardCharsets.UTF_8);
    RunningCommand command =
        new RunningCommand(new BufferedReader(new InputStreamReader(read, StandardCharsets.UTF_8)));
    Thread thread =
        new Thread(() -> command.run(written, args), "command " + String.join(" ", args));
    thread.setDaemon(true);
    thread.start();
    return command;
  }

  private void run(PrintStream out, String... args) {
    Streams streams =
        new Streams(
            InputStream.nullInputStream(),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Streams.ErrorOutput.REDIRECTED);
    try (out) {
      exitCode.complete(Tidelog.run(streams, stop::set, args));
    } catch (Throwable e) {
      exitCode.completeExceptionally(e);
      throw e;
    }
  }

  /** The next line of its output; null if it has ended. */
  public String nextLine() throws IOException {
    return out.readLine();
  }

  /** Asks it to stop. */
  public void stop() {
    stop.get().run();
  }

  /** Waits for its end. */
  public int exitCode() {
    return exitCode.orTimeout(30, TimeUnit.SECONDS).join();
  }

  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    if (!exitCode.isDone()) {
      stop();
      exitCode();
    }
  }
}
