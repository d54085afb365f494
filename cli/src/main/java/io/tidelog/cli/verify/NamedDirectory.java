package io.tidelog.cli.verify;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.disk.Disk;
import java.nio.file.Path;

/** A directory that somebody has named on a command line. */
public final class NamedDirectory {
  private NamedDirectory() {}

  /**
   * That it is there.
   *
   * @throws CommandException if it is not, or is a file
   */
  public static void require(Disk disk, Path directory) {
    if (!disk.exists(directory)) {
      throw CommandException.unreachable(directory + " does not exist");
    }
    if (!disk.isDirectory(directory)) {
      throw CommandException.usage(
          directory + " is a file; name the directory that it is in, or see tidelog dump");
    }
  }
}
