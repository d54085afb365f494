package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The two indexes of a segment and what they say about it. Both are caches of the {@code .log}
 * file: their ends are checked against it when they are taken up, each entry is checked when a
 * search relies on it, and whatever is wrong makes {@link #rebuild} necessary.
 */
final class SegmentIndexes {
  private static final int DEFAULT_INTERVAL_BYTES = 4096;

  private final OffsetIndex offsets;
  private final TimeIndex times;
  private final IndexCheck check;
  private final int intervalBytes;
  private int lastIndexedPosition;
  private long maxTimestamp = RecordBatch.NO_TIMESTAMP;
  private long offsetOfMaxTimestamp;
  private int widestGap;

  private SegmentIndexes(
      Segment.Setting setting, OffsetIndex offsets, TimeIndex times, DiskFile log) {
    this.offsets = offsets;
    this.times = times;
    this.check = new IndexCheck(offsets, times, log);
    this.intervalBytes = setting.indexIntervalBytes();
  }

  /** Starts two empty indexes, in place of what is there. */
  static SegmentIndexes create(Segment.Setting setting, long baseOffset, DiskFile log)
      throws IOException {
    return new SegmentIndexes(
        setting,
        OffsetIndex.create(setting.disk(), offsetPath(setting, baseOffset), baseOffset),
        TimeIndex.create(setting.disk(), timePath(setting, baseOffset), baseOffset),
        log);
  }

  /** Starts two empty indexes of a segment whose files have an ending for now. */
  static SegmentIndexes createDraft(
      Segment.Setting setting, long baseOffset, DiskFile log, String ending) throws IOException {
    Path offsets = offsetPath(setting, baseOffset);
    Path times = timePath(setting, baseOffset);
    return new SegmentIndexes(
        setting,
        OffsetIndex.create(
            setting.disk(), offsets.resolveSibling(offsets.getFileName() + ending), baseOffset),
        TimeIndex.create(
            setting.disk(), times.resolveSibling(times.getFileName() + ending), baseOffset),
        log);
  }

  /**
   * Takes up the indexes that a clean stop left.
   *
   * @throws CorruptLogException if one is missing or does not fit the log; the message names the
   *     file, the entry and the reason
   */
  static SegmentIndexes open(Segment.Setting setting, long baseOffset, DiskFile log, int logBytes)
      throws IOException {
    try {
      SegmentIndexes indexes =
          new SegmentIndexes(
              setting,
              OffsetIndex.open(setting.disk(), offsetPath(setting, baseOffset), baseOffset),
              TimeIndex.open(setting.disk(), timePath(setting, baseOffset), baseOffset),
              log);
      try (WalkWindow window = WalkWindow.borrow()) {
        indexes.takeUp(logBytes, window);
      }
      return indexes;
    } catch (NoSuchFileException missing) {
      throw new CorruptLogException(Path.of(missing.getFile()), 0, "the file is missing");
    } catch (AccessDeniedException denied) {
      throw new CorruptLogException(
          Path.of(denied.getFile()), 0, "this user may not read the file");
    }
  }

  /** Makes both indexes anew from the batches that a walk over the log finds. */
  static SegmentIndexes rebuild(
      Segment.Setting setting, long baseOffset, DiskFile log, SoundWalk walk) throws IOException {
    SegmentIndexes indexes = create(setting, baseOffset, log);
    while (walk.next()) {
      indexes.note(walk.batch(), walk.position());
    }
    return indexes;
  }

  private static Path offsetPath(Segment.Setting setting, long baseOffset) {
    return SegmentFiles.path(setting.directory(), baseOffset, SegmentFiles.OFFSET_INDEX);
  }

  private static Path timePath(Segment.Setting setting, long baseOffset) {
    return SegmentFiles.path(setting.directory(), baseOffset, SegmentFiles.TIME_INDEX);
  }

  /**
   * Takes note of a batch that starts at a position: the rule by which entries are made. If it
   * fails nothing was noted.
   */
  void note(RecordBatch batch, int position) throws IOException {
    boolean isLatest = batch.maxTimestamp() > maxTimestamp;
    long latest = isLatest ? batch.maxTimestamp() : maxTimestamp;
    long offsetOfLatest = isLatest ? batch.lastOffset() : offsetOfMaxTimestamp;
    if (position - lastIndexedPosition > intervalBytes) {
      times.appendIfLater(latest, offsetOfLatest);
      offsets.append(batch.lastOffset(), position);
      lastIndexedPosition = position;
    }
    maxTimestamp = latest;
    offsetOfMaxTimestamp = offsetOfLatest;
  }

  /** Largest timestamp noted, or -1. */
  long maxTimestamp() {
    return maxTimestamp;
  }

  /**
   * Whether no entry may be added to an index of at most this many bytes; the time index keeps one
   * for the closing entry.
   */
  boolean isFull(int maxIndexBytes) {
    return offsets.entries() >= maxIndexBytes / OffsetIndex.ENTRY_BYTES
        || times.entries() >= maxIndexBytes / TimeIndex.ENTRY_BYTES - 1;
  }

  /** Where the batch of an offset starts, or {@link IndexCheck#NOT_INDEXED}. */
  int startOf(long offset, int logBytes, WalkWindow window) throws IOException {
    return check.startOf(offset, logBytes, window);
  }

  /** A position at or before the batch that holds this offset. */
  int startFor(long offset, int logBytes, WalkWindow window) throws IOException {
    return check.startFor(offset, logBytes, window);
  }

  /** The start of the last indexed batch at or before a position. */
  int startAtOrBefore(int position, int logBytes, WalkWindow window) throws IOException {
    int entry = offsets.floorByPosition(position);
    return entry < 0 ? 0 : check.position(entry, logBytes, window);
  }

  /** A position such that no record before it has a timestamp this large. */
  int startForTime(long timestamp, int logBytes, WalkWindow window) throws IOException {
    int entry = times.floorByTimestamp(timestamp);
    if (entry < 0) {
      return 0;
    }
    check.time(entry, logBytes, window);
    return check.startFor(times.offset(entry), logBytes, window);
  }

  /** The last offset of a batch; not that of its header if both indexes name another one. */
  long lastOffset(int position, RecordBatch header) throws IOException {
    return check.lastOffset(position, header);
  }

  /** Gives the largest timestamp its entry, as the last step of a segment's active life. */
  void seal() throws IOException {
    times.appendIfLater(maxTimestamp, offsetOfMaxTimestamp);
  }

  /**
   * Writes all entries to the files; a failure is passed over: what is in memory serves as well.
   */
  void writeIfPossible() {
    offsets.file().writeIfPossible();
    times.file().writeIfPossible();
  }

  /** Makes both files durable. */
  void sync() throws IOException {
    offsets.file().sync();
    times.file().sync();
  }

  /**
   * Checks the last entries, and that none is missing after them; takes what the rest of the log
   * adds. Costs the headers from the batch with the last time entry on: few where times rise.
   */
  private void takeUp(int logBytes, WalkWindow window) throws IOException {
    int lastOffset = offsets.entries() - 1;
    lastIndexedPosition = lastOffset < 0 ? 0 : check.position(lastOffset, logBytes, window);
    int walkFrom = Math.min(lastIndexedPosition, takeUpTimes(logBytes, window));
    long lastEntryMs = Math.max(maxTimestamp, 0);
    SoundWalk walk = check.walk(walkFrom, logBytes, window);
    while (walk.next()) {
      if (isMissing(walk.position())) {
        throw check.damagedOffset(
            offsets.entries(), "no entry for the batch at position " + walk.position());
      }
      if (walk.batch().maxTimestamp() > maxTimestamp) {
        maxTimestamp = walk.batch().maxTimestamp();
        offsetOfMaxTimestamp = check.lastOffset(walk.position(), walk.batch());
      }
      if (walk.position() == lastIndexedPosition && lastOffset >= 0 && maxTimestamp > lastEntryMs) {
        throw check.damagedTime(
            times.entries(),
            "no entry for timestamp %d of offset %d".formatted(maxTimestamp, offsetOfMaxTimestamp));
      }
    }
  }

  /** Takes the largest timestamp from the last entry, if any. @return where its batch starts */
  private int takeUpTimes(int logBytes, WalkWindow window) throws IOException {
    int last = times.entries() - 1;
    if (last < 0) {
      return 0;
    }
    check.time(last, logBytes, window);
    maxTimestamp = times.timestamp(last);
    offsetOfMaxTimestamp = times.offset(last);
    return check.batchOfTime(last, logBytes, window).position();
  }

  /**
   * Whether an entry that should exist is not there. A broker that was stopped and started counts
   * the interval from its start, so up to one more interval, and one batch, may pass without an
   * entry, before the first one too: that is sparse, not damaged. The interval may have been a
   * larger one when the entries were made; they show it.
   */
  private boolean isMissing(int position) throws IOException {
    long bytes = (long) position - lastIndexedPosition;
    return bytes > 2L * Math.max(intervalBytes, 1) && bytes > 2L * widestGap();
  }

  /** The most bytes before an entry; found once, for the walk may ask at each batch. */
  private int widestGap() throws IOException {
    if (widestGap == 0) {
      widestGap = findWidestGap();
    }
    return widestGap;
  }

  /** Where both indexes agree that no bytes passed before an entry: the default. */
  private int findWidestGap() throws IOException {
    int widest = offsets.entries() == 0 && times.entries() <= 1 ? DEFAULT_INTERVAL_BYTES : 1;
    int before = 0;
    for (int i = 0; i < offsets.entries(); i++) {
      widest = Math.max(widest, offsets.position(i) - before);
      before = offsets.position(i);
    }
    return widest;
  }
}
