package io.tidelog.log;

import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.disk.Disk;
import io.tidelog.producer.ProducerSnapshots;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes a log to another folder while it is appended to and read.
 *
 * <p>Closed segments are copied piece by piece; the active one is closed for it as long as it is
 * large. Then appends wait while the rest is copied, the folders get their names, and the log goes
 * on in the new one: the same log to all who hold it, with the same producers, epochs and
 * listeners. Readers keep what they have pinned.
 *
 * <p>For one thread at a time, but for what tells how far it is.
 */
public final class Relocation implements Closeable {
  private static final int PIECE_BYTES = 4 << 20;
  private static final int BUFFER_BYTES = 256 << 10;

  /** With so little left, appends may wait for it. */
  private static final int HELD_BYTES = 1 << 20;

  private static final Set<String> NOT_AS_THEY_ARE =
      Stream.concat(
              SegmentFiles.DATA_SUFFIXES.stream(),
              Stream.of(
                  SegmentFiles.SNAPSHOT,
                  SegmentFiles.DELETED,
                  "leader-epoch-checkpoint",
                  ".cleaned",
                  ".swap",
                  ".tmp",
                  ".new"))
          .collect(Collectors.toUnmodifiableSet());

  private final PartitionLog log;
  private final LogWriter writer;
  private final LogSurroundings around;
  private final Disk disk;
  private final Path copy;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** How many bytes of these segments are copied; a cut may have changed one since. */
  private final Map<Segment, Integer> copied = new HashMap<>();

  private SegmentCopy current;
  private volatile Progress progress;

  /**
   * How far it is.
   *
   * @param copiedBytes of the segments' logs
   * @param copiedTo all records below this offset are copied
   */
  public record Progress(long copiedBytes, long copiedTo) {}

  /** Gives the folders their names, when the copy is complete and durable. */
  public interface Renaming {
    /** What comes first and may fail, whereupon the log goes on as it is. */
    void prepare() throws IOException;

    /**
     * Puts the old folder aside and the copy in service, durably.
     *
     * @return the copy's name
     */
    Path carryOut() throws IOException;
  }

  private Relocation(PartitionLog log, LogSurroundings around, Path copy) {
    this.log = log;
    this.writer = log.writer();
    this.around = around;
    this.disk = around.disk();
    this.copy = copy;
    this.progress = new Progress(0, log.view().start());
  }

  /**
   * Begins a copy in a folder that is not there yet.
   *
   * @param copy the folder, with a name that says that it is not in service
   */
  public static Relocation begin(PartitionLog log, LogSurroundings around, Path copy)
      throws IOException {
    around.disk().createDirectories(copy);
    Relocation relocation = new Relocation(log, around, copy);
    relocation.copyOtherFiles();
    around.disk().syncDirectory(copy.getParent());
    return relocation;
  }

  /** The topic's id, and what recovery has kept for a person. */
  private void copyOtherFiles() throws IOException {
    for (String name : disk.list(log.directory())) {
      Path file = log.directory().resolve(name);
      if (NOT_AS_THEY_ARE.stream().noneMatch(name::endsWith) && !disk.isDirectory(file)) {
        FileCopy.copy(disk, file, copy.resolve(name), buffer);
      }
    }
  }

  /** May be asked from any thread. */
  public Progress progress() {
    return progress;
  }

  /**
   * Copies the next piece, a few MiB at most, durably.
   *
   * @return whether so little is left that it is time for {@link #finish}
   * @throws LogClosedException the log is closed or has failed
   * @throws IOException if it cannot be copied; the log goes on as it is
   */
  public boolean copyPiece() throws IOException {
    writer.requireOpen();
    if (current == null && !beginNext()) {
      return isSmall(log.view().active());
    }
    if (current != null) {
      copyCurrent();
    }
    return false;
  }

  /** Whether there is something to do before the log can switch. */
  private boolean beginNext() throws IOException {
    LogView view = log.view();
    Optional<Segment> next = firstMissing(view);
    if (next.isPresent()) {
      if (next.get().pin()) {
        current = SegmentCopy.begin(disk, next.get(), copy);
      }
      return true;
    }
    if (!isSmall(view.active())) {
      writer.alone(this::closeActive);
    }
    return !isSmall(view.active());
  }

  private static boolean isSmall(Segment active) {
    return active.sizeBytes() <= HELD_BYTES;
  }

  private Optional<Segment> firstMissing(LogView view) {
    return Arrays.stream(view.segments(), 0, view.segmentCount() - 1)
        .filter(segment -> copied.getOrDefault(segment, -1) != segment.sizeBytes())
        .findFirst();
  }

  private void closeActive() throws IOException {
    if (log.view().active().sizeBytes() > 0) {
      writer.roll();
    }
  }

  private void copyCurrent() throws IOException {
    Segment segment = current.segment();
    try {
      if (current.next(buffer, PIECE_BYTES)) {
        copied.put(segment, current.copiedBytes());
        closeCurrent();
      }
    } catch (IOException e) {
      closeCurrent();
      if (!segment.isRetired()) {
        throw e;
      }
    }
    noteProgress();
  }

  private void noteProgress() {
    LogView view = log.view();
    long bytes = current == null ? 0 : current.copiedBytes();
    for (int size : copied.values()) {
      bytes += size;
    }
    long to = firstMissing(view).orElse(view.active()).baseOffset();
    progress = new Progress(bytes, Math.max(to, view.start()));
  }

  /**
   * Copies the rest and goes on in the new folder, while appends wait.
   *
   * @param renaming if it cannot be carried out, the log is closed until the next start finds out
   *     where it lies
   * @throws IOException if the rest cannot be copied: the log goes on as it is; or if the renaming
   *     failed
   */
  public void finish(Renaming renaming) throws IOException {
    try {
      writer.alone(
          () -> {
            writer.commitTo(writer.flush());
            closeActive();
            copyRest();
            renaming.prepare();
            change(renaming);
          });
    } finally {
      log.tellListeners();
    }
  }

  private void copyRest() throws IOException {
    LogView view = log.view();
    closeCurrent();
    for (Optional<Segment> next = firstMissing(view); next.isPresent(); next = firstMissing(view)) {
      if (!next.get().pin()) {
        throw new IOException(next.get() + " is gone, expected it to be part of the log");
      }
      current = SegmentCopy.begin(disk, next.get(), copy);
      while (current != null) {
        copyCurrent();
      }
    }
    removeOthers(view);
    Segment active = view.active();
    Segment.create(around.segmentSetting(copy, log.settings()), active.baseOffset()).unpin();
    Path snapshot = active.path(SegmentFiles.SNAPSHOT);
    if (disk.exists(snapshot)) {
      FileCopy.copy(disk, snapshot, copy.resolve(snapshot.getFileName()), buffer);
    }
    writer.epochs().save();
    writer.epochs().copyTo(new LeaderEpochCheckpoint(disk, copy));
    disk.syncDirectory(copy);
  }

  /** What was copied and has been dropped or cut since. */
  private void removeOthers(LogView view) throws IOException {
    Set<Long> bases =
        Arrays.stream(view.segments(), 0, view.segmentCount() - 1)
            .map(Segment::baseOffset)
            .collect(Collectors.toUnmodifiableSet());
    for (String name : disk.list(copy)) {
      for (String suffix : NOT_AS_THEY_ARE) {
        OptionalLong base = SegmentFiles.baseOffset(name, suffix);
        if (base.isPresent() && !bases.contains(base.getAsLong())) {
          disk.delete(copy.resolve(name));
        }
      }
    }
  }

  private void change(Renaming renaming) throws IOException {
    LogView before = log.view();
    for (Segment segment : before.segments()) {
      segment.retire();
    }
    try {
      Path folder = renaming.carryOut();
      LogView after = before.withSegments(reopened(before, folder));
      writer.producers().moveTo(ProducerSnapshots.open(disk, folder));
      writer.epochs().moveTo(new LeaderEpochCheckpoint(disk, folder));
      writer.flusher().moved(after);
      writer.publish(after);
    } catch (IOException e) {
      writer.fail(e);
      throw e;
    } catch (RuntimeException e) {
      writer.fail(new IOException(e));
      throw e;
    }
    for (Segment segment : before.segments()) {
      segment.unpin();
    }
  }

  private Segment[] reopened(LogView before, Path folder) throws IOException {
    Segment.Setting setting = around.segmentSetting(folder, log.settings());
    Segment[] segments = new Segment[before.segmentCount()];
    for (int i = 0; i < segments.length - 1; i++) {
      segments[i] = Segment.open(setting, before.segment(i).baseOffset());
    }
    segments[segments.length - 1] = Segment.openActive(setting, before.active().baseOffset());
    return segments;
  }

  private void closeCurrent() throws IOException {
    if (current != null) {
      SegmentCopy done = current;
      current = null;
      done.close();
    }
  }

  /** Lets go of what is open. What was copied and is not in service stays where it is. */
  @Override
  public void close() throws IOException {
    closeCurrent();
  }
}
