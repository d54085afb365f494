package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * The leader epochs of one partition and where each begins, in {@code leader-epoch-checkpoint} of
 * its folder.
 *
 * <pre>
 *  line     field               meaning
 *     1     version             0
 *     2     count               how many lines follow
 *  3, 4, …  epoch startOffset   separated by one space; both strictly rising, from 0
 * </pre>
 */
public final class LeaderEpochCheckpoint {
  public static final String FILE_NAME = "leader-epoch-checkpoint";

  private final StateFile file;
  private final CheckpointLines<EpochEntry> lines;

  public LeaderEpochCheckpoint(Disk disk, Path partitionDirectory) {
    this.file =
        new StateFile(disk, partitionDirectory.resolve(FILE_NAME), CheckpointLines.maxBytes());
    this.lines = new CheckpointLines<>(file, new EntryFormat());
  }

  /**
   * The epochs, oldest first; none if the file is missing.
   *
   * @throws MalformedFileException if the file breaks its format
   */
  public List<EpochEntry> read() throws IOException {
    List<EpochEntry> entries = lines.read();
    for (int i = 1; i < entries.size(); i++) {
      EpochEntry previous = entries.get(i - 1);
      EpochEntry entry = entries.get(i);
      if (entry.epoch() <= previous.epoch() || entry.startOffset() <= previous.startOffset()) {
        throw new MalformedFileException(
            file.path(),
            i + 3,
            entry.epoch() + " " + entry.startOffset(),
            "more than %d and %d".formatted(previous.epoch(), previous.startOffset()),
            EntryFormat.ADVICE);
      }
    }
    return entries;
  }

  /** Replaces the file, durably. */
  public void write(Collection<EpochEntry> entries) throws IOException {
    lines.write(entries);
  }

  private static final class EntryFormat implements CheckpointLines.Format<EpochEntry> {
    private static final String ADVICE = "Its epochs are found again in the batches at each start.";

    @Override
    public void append(StringBuilder line, EpochEntry entry) {
      line.append(entry.epoch()).append(' ').append(entry.startOffset());
    }

    @Override
    public EpochEntry parse(String[] fields) {
      CheckpointLines.requireFields(fields, 2);
      return new EpochEntry(CheckpointLines.number(fields[0]), CheckpointLines.offset(fields[1]));
    }

    @Override
    public String expected() {
      return "epoch and start offset";
    }

    @Override
    public String advice() {
      return ADVICE;
    }
  }
}
