package io.tidelog.cli.repair;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.JsonRows;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.cli.terminal.TextRows;
import io.tidelog.cli.verify.Cluster;
import io.tidelog.cli.verify.NamedDirectory;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskLockedException;
import io.tidelog.producer.OffsetRange;
import io.tidelog.repair.PartitionFolderException;
import io.tidelog.repair.Repair;
import io.tidelog.repair.RepairStep;
import io.tidelog.verify.Finding;
import io.tidelog.verify.NotALogDirectoryException;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidelog repair}: shows what it would do; with {@code --apply} it does that. */
@Command(
    name = "repair",
    description = {
      "Make a damaged data directory of Tidelog or Kafka one that verifies, from what is sound in"
          + " its logs. No broker may use it.",
      "",
      "Without --apply nothing is changed: the plan is shown, with the offsets that are lost.",
      "What is cut or replaced is kept in a folder beside the directory.",
      "Whether records are as the format says is looked at with --deep alone.",
      ""
    })
public final class RepairCommand implements Callable<Integer> {
  private final Disk disk;
  private final Streams streams;

  @Parameters(index = "0", paramLabel = "DATA", description = "The data directory.")
  private Path directory;

  @Option(names = "--apply", description = "Do what the plan says.")
  private boolean apply;

  @Option(
      names = "--quarantine",
      paramLabel = "FOLDER",
      description = "Where the copies go (default: DATA.quarantine, with a number for each run).")
  private Path quarantine;

  @Option(
      names = "--deep",
      description = "Look into every record too: tells of those that break the format.")
  private boolean deep;

  @Option(names = "--json", description = "One JSON object per line.")
  private boolean json;

  public RepairCommand(Disk disk, Streams streams) {
    this.disk = disk;
    this.streams = streams;
  }

  @Override
  public Integer call() {
    NamedDirectory.require(disk, directory);
    directory = directory.toAbsolutePath().normalize();
    Rows rows = json ? new JsonRows(streams.out()) : new TextRows(streams.out());
    try {
      return apply ? apply(rows) : plan(rows);
    } catch (DiskLockedException used) {
      throw CommandException.unreachable(
          used.getMessage() + "; stop the broker first, tidelog verify looks at one at work");
    } catch (NotALogDirectoryException | PartitionFolderException wrong) {
      throw CommandException.usage(wrong.getMessage());
    } catch (IOException e) {
      throw CommandException.unreachable("the repair could not go on: " + e.getMessage());
    }
  }

  private Repair repair() {
    VerifyOptions options =
        new Cluster(disk, streams)
            .tell(List.of(directory), deep ? VerifyOptions.deep() : VerifyOptions.batches());
    return new Repair(disk, directory, options);
  }

  private int plan(Rows rows) throws IOException {
    Repair.Plan plan = repair().plan();
    plan.steps().forEach(step -> rows.row(row("would", step)));
    plan.beyond().forEach(finding -> rows.row(row(finding)));
    if (plan.isSound()) {
      rows.row(Row.of("sound").with("directory", directory.toString()));
      return ExitCode.OK;
    }
    if (!plan.steps().isEmpty()) {
      rows.row(
          Row.of("unchanged")
              .with("directory", directory.toString())
              .with("next", "add --apply; what is cut or replaced is kept in " + quarantine()));
    }
    return ExitCode.FAILED;
  }

  private int apply(Rows rows) throws IOException {
    Path folder = quarantine();
    if (folder.startsWith(directory)) {
      throw CommandException.usage(
          folder + " lies in the data directory, where Kafka refuses unknown folders");
    }
    Repair.Plan left = repair().apply(folder, step -> rows.row(row("does", step)));
    left.beyond().forEach(finding -> rows.row(row(finding)));
    left.steps().forEach(step -> rows.row(row("left", step)));
    rows.row(
        Row.of(left.isSound() ? "sound" : "unsound")
            .with("directory", directory.toString())
            .with("quarantine", folder.toString()));
    return left.isSound() ? ExitCode.OK : ExitCode.FAILED;
  }

  private Path quarantine() {
    return quarantine == null
        ? directory.resolveSibling(directory.getFileName() + ".quarantine")
        : quarantine.toAbsolutePath().normalize();
  }

  private static Row row(String kind, RepairStep step) {
    Row row =
        Row.of(kind)
            .with("step", step.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .with("file", step.file().toString());
    if (!step.lost().isEmpty()) {
      row.with(
          "lostOffsets",
          step.lost().stream().map(RepairCommand::text).collect(Collectors.joining(", ")));
    }
    return row.with("what", step.does());
  }

  private static String text(OffsetRange lost) {
    return lost.end() - lost.start() == 1
        ? Long.toString(lost.start())
        : lost.start() + " to " + (lost.end() - 1);
  }

  private static Row row(Finding finding) {
    return Row.of("cannot")
        .with("file", finding.file().toString())
        .with("found", finding.found())
        .with("expected", finding.expected())
        .with("toDo", finding.kind().advice());
  }
}
