package io.tidelog.cli.explain;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.disk.Disk;
import io.tidelog.explain.ByteExplanation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidelog explain bytes}. */
@Command(
    name = "bytes",
    description =
        "Say what a byte of a file means: which field of which record, index entry or line it is in.")
public final class ExplainBytesCommand implements Callable<Integer> {
  private final Disk disk;
  private final Streams streams;

  @Parameters(
      index = "0",
      paramLabel = "FILE@POSITION",
      description = "A file of a data directory, and a byte of it, from 0.")
  private String place;

  @Mixin private Presentation presentation;

  public ExplainBytesCommand(Disk disk, Streams streams) {
    this.disk = disk;
    this.streams = streams;
  }

  @Override
  public Integer call() {
    boolean[] isDamaged = new boolean[1];
    int exitCode = Reading.exitCodeOf(() -> isDamaged[0] = isDamaged());
    return isDamaged[0] ? ExitCode.FAILED : exitCode;
  }

  private boolean isDamaged() throws IOException {
    int at = place.lastIndexOf('@');
    if (at <= 0) {
      throw wrong();
    }
    Path file = Path.of(place.substring(0, at));
    try {
      return explain(file, Long.parseLong(place.substring(at + 1)));
    } catch (NumberFormatException notANumber) {
      throw wrong();
    } catch (IndexOutOfBoundsException noSuchByte) {
      throw CommandException.usage(noSuchByte.getMessage());
    }
  }

  private CommandException wrong() {
    return CommandException.usage(
        "\"%s\" is no place, expected a file, @ and a number".formatted(place));
  }

  private boolean explain(Path file, long position) throws IOException {
    if (disk.isDirectory(file)) {
      throw CommandException.usage(file + " is a directory; name a file in it");
    }
    ByteExplanation found = ByteExplanation.of(disk, file, position);
    Row row =
        Row.of("byte")
            .with("position", position)
            .with("value", "0x%02x".formatted(found.octet()))
            .with("in", found.thing())
            .with("field", found.field().name())
            .with("fieldAt", found.field().at())
            .with("fieldBytes", found.field().sizeBytes())
            .with("fieldValue", found.field().value())
            .with("file", found.kind().meaning())
            .with("summary", found.summary());
    found.damage().ifPresent(damage -> row.with("damage", damage));
    presentation.rows(streams).row(row);
    return found.damage().isPresent();
  }
}
