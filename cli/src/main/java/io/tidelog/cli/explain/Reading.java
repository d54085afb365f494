package io.tidelog.cli.explain;

import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.segment.CorruptLogException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** What a command answers that reads files: a person hears in a sentence what cannot be read. */
final class Reading {

  /** The work. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  private Reading() {}

  /**
   * Does the work.
   *
   * @throws CommandException if a file is damaged or cannot be read
   */
  static int exitCodeOf(Work work) {
    try {
      work.run();
      return ExitCode.OK;
    } catch (CorruptLogException | MalformedFileException damage) {
      throw CommandException.failed(damage.getMessage());
    } catch (NoSuchFileException missing) {
      throw CommandException.unreachable(missing.getFile() + " does not exist");
    } catch (AccessDeniedException denied) {
      throw CommandException.unreachable(
          denied.getFile() + " may not be read by this user; run this as the user that owns it");
    } catch (IOException e) {
      throw CommandException.unreachable(e.getMessage());
    }
  }
}
