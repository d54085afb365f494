package io.tidelog.cli.dump;

import io.tidelog.cli.terminal.Row;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.segment.IndexWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** The entries of an offset index or a time index, each checked against the one before it. */
final class IndexDump implements FileDump {

  /** Which of the two. */
  enum Kind {
    OFFSETS,
    TIMES
  }

  private final Disk disk;
  private final Path file;
  private final long baseOffset;
  private final Kind kind;

  IndexDump(Disk disk, Path file, long baseOffset, Kind kind) {
    this.disk = disk;
    this.file = file;
    this.baseOffset = baseOffset;
    this.kind = kind;
  }

  @Override
  public void to(Findings rows) throws IOException {
    try (DiskFile index = disk.openReadOnly(file)) {
      IndexWalk walk =
          switch (kind) {
            case OFFSETS -> IndexWalk.offsets(index, baseOffset);
            case TIMES -> IndexWalk.times(index, baseOffset);
          };
      while (walk.next()) {
        Row row = Row.of("entry").with("position", walk.position());
        rows.row(
            switch (kind) {
              case OFFSETS ->
                  row.with("offset", walk.offset()).with("logPosition", walk.logPosition());
              case TIMES ->
                  row.with("timestamp", Instant.ofEpochMilli(walk.timestamp()))
                      .with("offset", walk.offset());
            });
      }
      if (walk.unusedBytes() > 0) {
        rows.row(
            Row.of("unused").with("position", walk.position()).with("bytes", walk.unusedBytes()));
      }
    }
  }
}
