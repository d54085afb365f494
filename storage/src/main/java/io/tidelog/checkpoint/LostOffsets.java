package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The offsets of one partition that a repair has given up, in {@code lost-offsets-checkpoint} of
 * its folder: with it a check can tell a loss that is known from a new one. A broker does not read
 * it.
 *
 * <pre>
 *  line     field      meaning
 *     1     version    0
 *     2     count      how many lines follow
 *  3, 4, …  start end  separated by one space; end is the offset after the last one that is lost
 * </pre>
 */
public final class LostOffsets {
  public static final String FILE_NAME = "lost-offsets-checkpoint";

  private final CheckpointLines<LostRange> lines;

  public LostOffsets(Disk disk, Path partitionDirectory) {
    Path file = partitionDirectory.resolve(FILE_NAME);
    this.lines =
        new CheckpointLines<>(
            new StateFile(disk, file, CheckpointLines.maxBytes()), new RangeFormat());
  }

  /**
   * The ranges in file order; none if the file is missing.
   *
   * @throws MalformedFileException if the file breaks its format
   */
  public List<LostRange> read() throws IOException {
    return lines.read();
  }

  /** Replaces the file, durably. */
  public void write(List<LostRange> ranges) throws IOException {
    lines.write(ranges);
  }

  private static final class RangeFormat implements CheckpointLines.Format<LostRange> {
    @Override
    public void append(StringBuilder line, LostRange range) {
      line.append(range.start()).append(' ').append(range.end());
    }

    @Override
    public LostRange parse(String[] fields) {
      CheckpointLines.requireFields(fields, 2);
      return new LostRange(CheckpointLines.offset(fields[0]), CheckpointLines.offset(fields[1]));
    }

    @Override
    public String expected() {
      return "start and end offset";
    }

    @Override
    public String advice() {
      return "Move it away: a check then tells of all offsets that are missing.";
    }
  }
}
