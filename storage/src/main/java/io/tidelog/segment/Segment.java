package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * One {@code .log} file with its indexes. The file is opened, and its indexes are checked, when
 * somebody first needs them, so that a log with many segments opens quickly. Whoever uses the file
 * pins the segment first ({@link #pin}); the file is closed when the last pin is gone.
 */
public final class Segment implements TimedSegment {
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final Setting setting;
  private final long baseOffset;
  private final PinnedFile log;
  private final TxnIndex aborted;
  private final CheckedBytes checked;
  private final SegmentBatches batches;
  private volatile int sizeBytes;
  private volatile SegmentIndexes indexes;
  private volatile boolean isActive;
  private volatile boolean isRetired;
  private volatile long firstTimestamp = UNKNOWN;

  /**
   * What a segment takes from its log.
   *
   * @param disk the door to files
   * @param directory the partition's folder
   * @param indexIntervalBytes bytes of log per index entry
   * @param nowMs the time at which the segment is opened
   * @param repairs told in a sentence when an index had to be rebuilt
   */
  public record Setting(
      Disk disk, Path directory, int indexIntervalBytes, long nowMs, Consumer<String> repairs) {}

  private Segment(Setting setting, long baseOffset, int sizeBytes) {
    this.setting = setting;
    this.baseOffset = baseOffset;
    this.log = new PinnedFile(setting.disk(), path(SegmentFiles.LOG));
    this.aborted = new TxnIndex(setting.disk(), path(SegmentFiles.TXN_INDEX));
    this.checked =
        new CheckedBytes(
            sizeBytes, setting.repairs(), (at, header) -> indexes().lastOffset(at, header));
    this.batches = new SegmentBatches(this, checked);
    this.sizeBytes = sizeBytes;
  }

  /** Creates the empty files of a new segment, which is active. */
  public static Segment create(Setting setting, long baseOffset) throws IOException {
    Segment segment = new Segment(setting, baseOffset, 0);
    segment.aborted.checked();
    segment.log.create();
    try {
      segment.indexes = SegmentIndexes.create(setting, baseOffset, segment.file());
      segment.isActive = true;
      return segment;
    } catch (IOException e) {
      segment.unpin();
      setting.disk().delete(segment.path(SegmentFiles.LOG));
      throw e;
    }
  }

  /** Takes up an existing closed segment, of which only the size is looked at now. */
  public static Segment open(Setting setting, long baseOffset) throws IOException {
    Path log = SegmentFiles.path(setting.directory(), baseOffset, SegmentFiles.LOG);
    long sizeBytes = setting.disk().sizeBytes(log);
    if (sizeBytes > Integer.MAX_VALUE) {
      throw new CorruptLogException(
          log,
          Integer.MAX_VALUE,
          "the file has "
              + sizeBytes
              + " bytes, expected at most 2147483647, so something else has written to it. Put a"
              + " good copy in its place; or move it away, and the partition is served without its"
              + " records");
    }
    return new Segment(setting, baseOffset, (int) sizeBytes);
  }

  /** Stands for one that cannot be opened, in a log that nobody reads. */
  public static Segment unread(Setting setting, long baseOffset) {
    return new Segment(setting, baseOffset, 0);
  }

  /** Takes up the last segment of a log, as {@link #open} does. */
  public static Segment openActive(Setting setting, long baseOffset) throws IOException {
    Segment segment = open(setting, baseOffset);
    segment.isActive = true;
    return segment;
  }

  @Override
  public long baseOffset() {
    return baseOffset;
  }

  /** Bytes of the log that are written. A reader goes by its view, which may say less. */
  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  /** The path of one of the segment's files. */
  public Path path(String suffix) {
    return SegmentFiles.path(setting.directory(), baseOffset, suffix);
  }

  /** Whether an offset can be told as a distance from the base offset, in 31 bits. */
  public boolean canHold(long offset) {
    return offset - baseOffset >= 0 && offset - baseOffset <= Integer.MAX_VALUE;
  }

  /** Whether no more index entries fit. */
  public boolean isIndexFull(int maxIndexBytes) throws IOException {
    return indexes().isFull(maxIndexBytes);
  }

  /** Largest timestamp of a batch, ms, or -1. */
  @Override
  public long maxTimestamp() throws IOException {
    return indexes().maxTimestamp();
  }

  /** When the log was last written, ms. */
  @Override
  public long modifiedMs() throws IOException {
    return setting.disk().modifiedMs(path(SegmentFiles.LOG));
  }

  /** When the segment was created, or opened, ms. */
  public long openedMs() {
    return setting.nowMs();
  }

  /** Largest timestamp of the first batch, ms, or -1. */
  @Override
  public long firstTimestamp() throws IOException {
    if (firstTimestamp == UNKNOWN && sizeBytes > 0) {
      firstTimestamp = batches.firstTimestamp(new Extent(sizeBytes, LogPart.OPEN));
    }
    return firstTimestamp == UNKNOWN ? RecordBatch.NO_TIMESTAMP : firstTimestamp;
  }

  /**
   * Appends one batch that has its final offsets.
   *
   * @param batch a view of the whole batch
   * @throws IOException nothing was appended: what was written of it lies past the end and will be
   *     overwritten or cut
   */
  public void append(RecordBatch batch) throws IOException {
    int position = sizeBytes;
    ByteBuffer bytes = batch.buffer().slice(batch.position(), batch.sizeBytes());
    file().write(bytes, position);
    synchronized (this) {
      indexes().note(batch, position);
      sizeBytes = position + batch.sizeBytes();
    }
  }

  /** Cuts off what a failed append may have left past the end. */
  public void cutExcess() throws IOException {
    file().truncate(sizeBytes);
  }

  /** Cuts the log at a position, which is the end of a batch, and rebuilds the indexes. */
  public synchronized void truncateTo(int position) throws IOException {
    file().truncate(position);
    sizeBytes = position;
    checked.cutTo(position);
    rebuildIndexes();
  }

  /** Header of the batch that starts at a position. */
  public RecordBatch batchAt(int position) throws IOException {
    BatchWalk walk = BatchWalk.oneHeader(file(), position, sizeBytes);
    if (!walk.next()) {
      throw new CorruptLogException(
          path(SegmentFiles.LOG), position, "the file ends here, expected a batch");
    }
    return walk.batch();
  }

  /** Finds batches in the log. */
  public SegmentBatches batches() {
    return batches;
  }

  /** Sends bytes of the log to a channel; the caller holds a pin. */
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return file().transferTo(position, count, target);
  }

  /** Reads bytes of the log; the caller holds a pin. */
  public int read(ByteBuffer target, long position) throws IOException {
    return file().read(target, position);
  }

  /** Makes the log durable. */
  public void syncLog() throws IOException {
    file().sync();
  }

  /** The aborted transactions whose markers lie here. */
  public TxnIndex aborted() {
    return aborted;
  }

  /** Makes the indexes durable; anew, if somebody has taken away what was written to them. */
  public void syncIndexes() throws IOException {
    try {
      indexes().sync();
    } catch (CorruptLogException takenAway) {
      repairIndexes(takenAway);
      indexes().sync();
    }
    aborted.sync(setting.repairs());
  }

  /** Ends the segment's active life: its indexes are complete, in memory if not on disk. */
  public void seal() throws IOException {
    indexes().seal();
    indexes().writeIfPossible();
    isActive = false;
  }

  /**
   * Reads all batches again and makes the indexes anew from the sound ones. Nothing is cut here.
   *
   * @param endOffset the offset after the last one that there can be, {@link LogPart#OPEN} if
   *     unknown
   * @param durableTo batches below this offset were made durable, so only their headers are looked
   *     at
   * @param visitor shown the header of each sound batch
   */
  public synchronized Rescanned recover(
      long endOffset, long durableTo, Consumer<RecordBatch> visitor) throws IOException {
    SegmentIndexes fresh = SegmentIndexes.create(setting, baseOffset, file());
    Rescan rescan = new Rescan(checked, durableTo, visitor);
    Rescanned found = rescan.of(file(), batches.part(0, new Extent(sizeBytes, endOffset)), fresh);
    indexes = fresh;
    return found;
  }

  /** Cuts the log where {@link #recover} found that its sound part ends. */
  public void cutTo(int goodBytes) throws IOException {
    file().truncate(goodBytes);
    file().sync(); // else it may come back after a power cut, before what was appended since
    sizeBytes = goodBytes;
    checked.cutTo(goodBytes);
  }

  /** Makes the indexes anew from the log. */
  private synchronized void rebuildIndexes() throws IOException {
    if (isRetired) {
      throw new NoSuchFileException(toString(), null, "the segment is out of service");
    }
    indexes = null;
    SoundWalk walk = batches.all(new Extent(sizeBytes, LogPart.OPEN));
    SegmentIndexes fresh = SegmentIndexes.rebuild(setting, baseOffset, file(), walk);
    if (!isActive) {
      fresh.seal();
      fresh.writeIfPossible();
    }
    indexes = fresh;
  }

  /**
   * From here on the segment's files belong to somebody else, or get another name: a search that is
   * still under way may fail, but changes nothing on disk.
   */
  public synchronized void retire() {
    isRetired = true;
  }

  public boolean isRetired() {
    return isRetired;
  }

  /**
   * Holds the file open, for as long as it takes, even if the log drops the segment.
   *
   * @return false if the segment is gone already
   */
  public boolean pin() throws IOException {
    try {
      return log.pin();
    } catch (IOException e) {
      if (isRetired) {
        return false;
      }
      throw e;
    }
  }

  /** Lets go of one pin; the log itself holds the first one. The last one closes the file. */
  public void unpin() throws IOException {
    log.unpin();
  }

  /** A question to the indexes. */
  @FunctionalInterface
  private interface Search {
    /**
     * @throws CorruptLogException if an entry that the answer relies on is wrong
     */
    int in(SegmentIndexes indexes) throws IOException;
  }

  private int search(Search question, WalkWindow window) throws IOException {
    try {
      return question.in(indexes());
    } catch (CorruptLogException damageOrAppend) {
      window.forget();
      return searchAlone(question);
    }
  }

  /** Asks while no entry is being added: one may be there before the size counts its batch. */
  private synchronized int searchAlone(Search question) throws IOException {
    try {
      return question.in(indexes());
    } catch (CorruptLogException damage) {
      repairIndexes(damage);
      return question.in(indexes());
    }
  }

  /** Where the batch of an offset starts, or {@link IndexCheck#NOT_INDEXED}. */
  int startOf(long offset, WalkWindow window) throws IOException {
    return search(found -> found.startOf(offset, sizeBytes, window), window);
  }

  /** A position at or before the batch that holds this offset. */
  int startFor(long offset, WalkWindow window) throws IOException {
    return search(found -> found.startFor(offset, sizeBytes, window), window);
  }

  /** The start of the last indexed batch at or before a position. */
  int startAtOrBefore(int position, WalkWindow window) throws IOException {
    return search(found -> found.startAtOrBefore(position, sizeBytes, window), window);
  }

  /** A position such that no record before it has a timestamp this large. */
  int startForTime(long timestamp, WalkWindow window) throws IOException {
    return search(found -> found.startForTime(timestamp, sizeBytes, window), window);
  }

  DiskFile file() throws IOException {
    return log.get();
  }

  private SegmentIndexes indexes() throws IOException {
    SegmentIndexes known = indexes;
    return known != null ? known : openIndexes();
  }

  private synchronized SegmentIndexes openIndexes() throws IOException {
    if (indexes == null) {
      try {
        indexes = SegmentIndexes.open(setting, baseOffset, file(), sizeBytes);
      } catch (CorruptLogException damage) {
        repairIndexes(damage);
      }
    }
    return indexes;
  }

  private synchronized void repairIndexes(CorruptLogException damage) throws IOException {
    LostTail lost =
        isActive || isRetired
            ? null
            : LostTail.keep(setting, baseOffset, sizeBytes, batches.endOfSound(sizeBytes));
    rebuildIndexes();
    setting
        .repairs()
        .accept(
            lost != null
                ? lost.tell(this)
                : damage.getMessage() + "; the indexes of this segment were rebuilt from its log");
  }

  @Override
  public String toString() {
    return path(SegmentFiles.LOG).toString();
  }
}
