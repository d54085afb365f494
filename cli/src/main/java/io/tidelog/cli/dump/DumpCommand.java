package io.tidelog.cli.dump;

import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.JsonRows;
import io.tidelog.cli.terminal.Progress;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.cli.terminal.TextRows;
import io.tidelog.disk.Disk;
import io.tidelog.producer.CorruptSnapshotException;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidelog dump}: shows what the files of a data directory hold. */
@Command(
    name = "dump",
    description = {
      "Show what files of a Tidelog or Kafka data directory hold. Nothing is changed, and no broker"
          + " is needed.",
      "",
      "The name of a file says what it is. Of a partition: .log, .index, .timeindex, .txnindex,",
      ".snapshot (also with .deleted, .cut or the like after it), leader-epoch-checkpoint and",
      "partition.metadata. Of a data directory: the offset checkpoints, meta.properties and",
      ".kafka_cleanshutdown. Of the metadata log: its .checkpoint files too.",
      "",
      "Damage is shown where it stands, and makes the exit code 1.",
      ""
    })
public final class DumpCommand implements Callable<Integer> {
  private final Disk disk;
  private final Streams streams;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files to show, in this order.")
  private List<Path> files;

  @Option(names = "--json", description = "One JSON object per line.")
  private boolean json;

  @Option(names = "--batches", description = "Of a log show the batches only, not their records.")
  private boolean batchesOnly;

  public DumpCommand(Disk disk, Streams streams) {
    this.disk = disk;
    this.streams = streams;
  }

  @Override
  public Integer call() {
    for (Path file : files) {
      requireShowable(file);
    }
    Findings rows = new Findings(json ? new JsonRows(streams.out()) : new TextRows(streams.out()));
    for (Path file : files) {
      show(file, rows);
    }
    return rows.count() == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private void requireShowable(Path file) {
    if (disk.isDirectory(file)) {
      throw CommandException.usage(
          file + " is a directory; name the files in it, such as " + file.resolve("*.log"));
    }
    if (!disk.exists(file)) {
      throw CommandException.unreachable(file + " does not exist");
    }
    if (SegmentName.of(file).isEmpty() && SideFileDump.of(disk, withParent(file)).isEmpty()) {
      throw CommandException.usage(
          file + " has no name that says what it is; see tidelog dump --help for those that do");
    }
  }

  private void show(Path file, Findings rows) {
    rows.row(Row.of("file").with("file", file.toString()).with("bytes", sizeBytes(file)));
    try (Progress progress = Progress.of(streams, "bytes of " + file.getFileName())) {
      dumpOf(file, progress).to(rows);
    } catch (CorruptLogException | CorruptSnapshotException | MalformedFileException damage) {
      rows.damage(file, damage.getMessage());
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    streams.out().flush();
  }

  private FileDump dumpOf(Path file, Progress progress) {
    Optional<SegmentName> name = SegmentName.of(file);
    return name.isPresent()
        ? segmentDump(file, name.get(), progress)
        : SideFileDump.of(disk, withParent(file)).orElseThrow();
  }

  private FileDump segmentDump(Path file, SegmentName name, Progress progress) {
    return switch (name.suffix()) {
      case SegmentFiles.LOG, SegmentName.METADATA_SNAPSHOT ->
          new LogDump(
              disk, file, batchesOnly ? LogDump.Detail.BATCHES : LogDump.Detail.RECORDS, progress);
      case SegmentFiles.OFFSET_INDEX ->
          new IndexDump(disk, file, name.baseOffset(), IndexDump.Kind.OFFSETS);
      case SegmentFiles.TIME_INDEX ->
          new IndexDump(disk, file, name.baseOffset(), IndexDump.Kind.TIMES);
      case SegmentFiles.SNAPSHOT -> ProducerDump.ofSnapshot(disk, file);
      case SegmentFiles.TXN_INDEX -> ProducerDump.ofTxnIndex(disk, file);
      default -> throw new IllegalStateException("no dump of " + name.suffix());
    };
  }

  private long sizeBytes(Path file) {
    try {
      return disk.sizeBytes(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** A side file is found by its directory, so its path needs one. */
  private static Path withParent(Path file) {
    return file.getParent() == null ? Path.of("").resolve(file).toAbsolutePath() : file;
  }

  private static CommandException unreadable(Path file, IOException e) {
    if (e instanceof NoSuchFileException) {
      return CommandException.unreachable(file + " does not exist any more");
    }
    if (e instanceof AccessDeniedException) {
      return CommandException.unreachable(
          file + " may not be read by this user; run this as the user that owns it");
    }
    return CommandException.unreachable(file + " cannot be read: " + e.getMessage());
  }
}
