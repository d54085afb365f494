package io.tidelog.cli.verify;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.JsonRows;
import io.tidelog.cli.terminal.Progress;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.disk.Disk;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.NotALogDirectoryException;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import io.tidelog.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidelog verify}: checks data directories, or the folders of partitions. */
@Command(
    name = "verify",
    description = {
      "Check data directories of Tidelog or Kafka, or the folders of single partitions. Nothing is"
          + " changed; a broker may be at work meanwhile.",
      "",
      "Every batch is compared with its CRC and its neighbours, every index entry with the log,"
          + " and",
      "the small files with both. What is found is a NOTE (as it may be), a WARNING (not as it",
      "should be, but no record is lost) or DAMAGE. Warnings and damage make the exit code 1.",
      ""
    })
public final class VerifyCommand implements Callable<Integer> {
  private final Disk disk;
  private final Streams streams;

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR",
      description = "Data directories of one broker, or folders such as DATA/orders-0.")
  private List<Path> directories;

  @Option(names = "--deep", description = "Unpack and check every record too.")
  private boolean deep;

  @Option(names = "--json", description = "One JSON object per line.")
  private boolean json;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that share the work; as many as processors if not set.")
  private Integer threads;

  public VerifyCommand(Disk disk, Streams streams) {
    this.disk = disk;
    this.streams = streams;
  }

  /**
   * Reads a command line that needs no parser, whose loading takes as long as checking a gigabyte:
   * {@code verify}, then {@code --deep}, {@code --json} and directories. The parser gets everything
   * that is not as plain as this, above all what is wrong.
   *
   * @return the command that the parser would run, or nothing
   */
  public static Optional<VerifyCommand> ofPlain(Disk disk, Streams streams, String... args) {
    VerifyCommand command = new VerifyCommand(disk, streams);
    command.directories = new ArrayList<>();
    if (args.length == 0 || !args[0].equals("verify")) {
      return Optional.empty();
    }
    for (String word : List.of(args).subList(1, args.length)) {
      if (word.equals("--deep") && !command.deep) {
        command.deep = true;
      } else if (word.equals("--json") && !command.json) {
        command.json = true;
      } else if (!word.isEmpty() && "-@\"".indexOf(word.charAt(0)) < 0) {
        command.directories.add(Path.of(word));
      } else {
        return Optional.empty();
      }
    }
    return command.directories.isEmpty() ? Optional.empty() : Optional.of(command);
  }

  @Override
  public Integer call() {
    for (Path directory : directories) {
      NamedDirectory.require(disk, directory);
    }
    requireDifferent();
    VerifyReport report = verify(options());
    ReportText text = new ReportText(report);
    if (json) {
      text.to(new JsonRows(streams.out()));
    } else {
      text.to(streams.out());
    }
    if (report.findings().stream().anyMatch(found -> found.kind() == FindingKind.UNREADABLE)) {
      return ExitCode.UNREACHABLE;
    }
    return report.isSound() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void requireDifferent() {
    Set<Path> named = new HashSet<>();
    for (Path directory : directories) {
      if (!named.add(directory.toAbsolutePath().normalize())) {
        throw CommandException.usage(directory + " is named twice");
      }
    }
  }

  private VerifyOptions options() {
    VerifyOptions options = deep ? VerifyOptions.deep() : VerifyOptions.batches();
    options = new Cluster(disk, streams).tell(directories, options);
    if (threads == null) {
      return options;
    }
    if (threads < 1) {
      throw CommandException.usage("--threads is " + threads + ", expected 1 or more");
    }
    return options.withThreads(threads);
  }

  private VerifyReport verify(VerifyOptions options) {
    try (Progress progress = Progress.of(streams, "bytes")) {
      return Verifier.verify(disk, directories, options.withListener(progress::at));
    } catch (NotALogDirectoryException e) {
      throw CommandException.usage(e.getMessage());
    } catch (IOException e) {
      throw CommandException.unreachable("cannot be read: " + e.getMessage());
    }
  }
}
