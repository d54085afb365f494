package io.tidelog.segment;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The change of names by which a new segment takes the place of one or more others, the first of
 * which has its base offset. In this order, each step durable before the next:
 *
 * <ol>
 *   <li>The new files are complete and end with {@code .cleaned}.
 *   <li>{@link #commit}: all of them end with {@code .swap}. From here on the new segment counts.
 *   <li>The old files are gone, or end with {@code .deleted}: the first segment durably before the
 *       others.
 *   <li>{@link #finish}: the new files have their names, the log first.
 * </ol>
 *
 * <p>So what a power cut leaves tells how far it was: with any file left that ends with {@code
 * .cleaned} all old ones are there, and {@link #undo} takes the new ones away. Without, a log that
 * ends with {@code .swap} says that old ones may still be there, all of them if the first is, and
 * one that does not that only the other files lack their names. Kafka goes through the same states.
 */
public final class SegmentSwap {
  private static final List<String> SIDE_FILES =
      List.of(SegmentFiles.TXN_INDEX, SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX);

  private final Disk disk;
  private final Path directory;
  private final long baseOffset;

  /**
   * @param directory of the partition
   * @param baseOffset of the new segment
   */
  public SegmentSwap(Disk disk, Path directory, long baseOffset) {
    this.disk = disk;
    this.directory = directory;
    this.baseOffset = baseOffset;
  }

  public long baseOffset() {
    return baseOffset;
  }

  /** The name of a file while it is made. */
  Path draft(String suffix) {
    return path(suffix + SegmentFiles.CLEANED);
  }

  /** The name of a file that is complete. */
  public Path ready(String suffix) {
    return path(suffix + SegmentFiles.SWAP);
  }

  private Path path(String suffix) {
    return SegmentFiles.path(directory, baseOffset, suffix);
  }

  /**
   * From here on the new segment counts, when this returns for good.
   *
   * @throws IOException if a file could not get its name; {@link #undo} is then possible
   */
  public void commit() throws IOException {
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      renameIfThere(draft(suffix), ready(suffix));
    }
  }

  /** Gives the new files their names; all old ones are gone, durably. Durable when it returns. */
  public void finish() throws IOException {
    renameIfThere(ready(SegmentFiles.LOG), path(SegmentFiles.LOG));
    for (String suffix : SIDE_FILES) {
      renameIfThere(ready(suffix), path(suffix));
    }
    sync();
  }

  /**
   * Takes the new files away. As long as one of them ends with {@code .cleaned} a power cut
   * meanwhile leaves what is undone again; those go last. Durable when it returns.
   */
  public void undo() throws IOException {
    boolean some = false;
    for (String suffix : SIDE_FILES) {
      some |= deleteIfThere(ready(suffix));
    }
    some |= deleteIfThere(ready(SegmentFiles.LOG));
    if (some) {
      sync();
    }
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      some |= deleteIfThere(draft(suffix));
    }
    if (some) {
      sync();
    }
  }

  /** Makes the names durable. */
  public void sync() throws IOException {
    disk.syncDirectory(directory);
  }

  private void renameIfThere(Path from, Path to) throws IOException {
    if (disk.exists(from)) {
      disk.rename(from, to);
    }
  }

  private boolean deleteIfThere(Path file) throws IOException {
    boolean isThere = disk.exists(file);
    if (isThere) {
      disk.delete(file);
    }
    return isThere;
  }
}
