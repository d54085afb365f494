package io.tidelog.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Linux says of a process: processor time of all its threads, in the program and in the
 * kernel, and memory.
 */
public final class ProcessFigures {
  /** The kernel counts in hundredths of a second there, whatever it measures in. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int UTIME = 11;
  private static final int STIME = 12;

  private final Path folder;

  /** Of the process with this id. */
  public ProcessFigures(long pid) {
    this.folder = Path.of("/proc", Long.toString(pid));
  }

  /** Processor time since it was started, in seconds. */
  public double cpuSeconds() throws IOException {
    String stat = Files.readString(folder.resolve("stat"));
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(afterName[UTIME]) + Long.parseLong(afterName[STIME])) / TICKS_PER_SECOND;
  }

  /** Memory that is resident now, in MiB. */
  public double residentMiB() throws IOException {
    return kibibytes("status", "VmRSS:") / 1024;
  }

  /** The same, with pages that others share counted by their share. */
  public double proportionalMiB() throws IOException {
    return kibibytes("smaps_rollup", "Pss:") / 1024;
  }

  private double kibibytes(String file, String name) throws IOException {
    for (String line : Files.readAllLines(folder.resolve(file))) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException(folder.resolve(file) + " has no line " + name);
  }
}
