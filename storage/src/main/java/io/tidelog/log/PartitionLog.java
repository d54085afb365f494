package io.tidelog.log;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.producer.OffsetRange;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The log of one partition. One writer at a time, any number of readers without a lock; made by the
 * recovery package's opener.
 *
 * <p>An append goes: validate the batch, check its sequence number, roll if due, stamp base offset
 * and leader epoch into the given buffer, one write, note it in the indexes, publish the next
 * {@link LogView}. Until it is published nobody sees any of it, and what a failed append leaves
 * past the end is overwritten by the next one.
 */
public final class PartitionLog {
  private final Identity identity;
  private final LogSurroundings around;
  private final LeaderEpochs epochs;
  private final LogProducers producers;
  private final LogReader reader;
  private final CopyOnWriteArrayList<LogListener> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Flusher flusher;
  private final SegmentDisposal disposal;

  private volatile LogSettings settings;
  private volatile LogView view;
  private volatile LogClosedException closed;
  private long activeJitterMs;
  private boolean isReleased;

  /**
   * Which log this is.
   *
   * @param topicPartition its name
   * @param topicId its topic's id
   * @param directory its folder
   */
  public record Identity(TopicPartition topicPartition, TopicId topicId, Path directory) {}

  /**
   * What recovery found, sound.
   *
   * @param segments by rising base offset, at least one
   * @param start log start offset
   * @param end log end offset
   * @param recoveryPoint offset below which all is durable
   * @param epochs leader epochs up to the end
   * @param producers producer state at the end
   */
  public record Contents(
      List<Segment> segments,
      long start,
      long end,
      long recoveryPoint,
      LeaderEpochs epochs,
      LogProducers producers) {}

  public PartitionLog(
      Identity identity, LogSurroundings around, LogSettings settings, Contents contents) {
    this.identity = identity;
    this.around = around;
    this.settings = settings;
    this.epochs = contents.epochs;
    this.producers = contents.producers;
    this.reader = new LogReader(identity.topicPartition.toString());
    Segment[] segments = contents.segments.toArray(Segment[]::new);
    this.flusher = new Flusher(identity.directory, around, contents);
    this.disposal = new SegmentDisposal(around);
    this.view =
        new LogView(
            segments,
            new LogView.Offsets(
                contents.start,
                stableBelow(contents.start, contents.end),
                contents.end,
                contents.end),
            segments[segments.length - 1].sizeBytes());
    drawJitter();
  }

  public TopicPartition topicPartition() {
    return identity.topicPartition;
  }

  public TopicId topicId() {
    return identity.topicId;
  }

  /** The partition's folder; another name once the log is deleted. */
  public Path directory() {
    return identity.directory;
  }

  /** The offsets now. */
  public LogView view() {
    return view;
  }

  public LogSettings settings() {
    return settings;
  }

  /** Takes effect at once: for the next append, roll, retention run and flush. */
  public void apply(LogSettings next) {
    settings = next;
  }

  /** Offset below which all is durable. */
  public long recoveryPoint() {
    return flusher.recoveryPoint();
  }

  /** The segments now, by rising base offset. The last one is active. */
  public List<Segment> segments() {
    return List.of(view.segments());
  }

  /** Bytes of all segments' logs. */
  public long sizeBytes() {
    long bytes = 0;
    for (Segment segment : view.segments()) {
      bytes += segment.sizeBytes();
    }
    return bytes;
  }

  public boolean isClosed() {
    return closed != null;
  }

  public void addListener(LogListener listener) {
    listeners.add(listener);
  }

  public void removeListener(LogListener listener) {
    listeners.remove(listener);
  }

  /**
   * Validates one batch, numbers it in place (base offset and leader epoch in the given buffer),
   * writes it and publishes it. With page-cache durability the high watermark has moved when this
   * returns; with fsync it moves later (listen).
   *
   * @throws io.tidelog.record.InvalidBatchException the batch breaks a rule; nothing was written
   * @throws io.tidelog.producer.ProducerStateException sequence or epoch refused; nothing was
   *     written
   * @throws LogClosedException the log is closed or has failed
   * @throws io.tidelog.disk.DiskFullException no room; nothing was published
   */
  public Appended append(ByteBuffer produced, int leaderEpoch, AppendSource source)
      throws IOException {
    Appended appended;
    try (Validation validation = around.validations().borrow()) {
      RecordBatch batch = validation.validate(produced, source, settings, around.clock().millis());
      lock.lock();
      try {
        requireOpen();
        appended = appendLocked(batch, leaderEpoch, source);
      } finally {
        lock.unlock();
      }
    }
    if (!appended.duplicate()) {
      commitment().written(this);
      flushIfDue();
      tellListeners();
    }
    return appended;
  }

  private Appended appendLocked(RecordBatch batch, int leaderEpoch, AppendSource source)
      throws IOException {
    Appended earlier = duplicateOf(batch, source);
    if (earlier != null) {
      return earlier;
    }
    rollIfDue(batch);
    LogView before = view;
    long base = before.end();
    batch.stampBaseOffset(base);
    batch.stampLeaderEpoch(leaderEpoch);
    write(before.active(), batch);
    epochs.note(leaderEpoch, base);
    producers.apply(batch);
    long end = batch.nextOffset();
    long highWatermark = commitment().highWatermarkAfter(before.highWatermark(), end);
    view =
        before.withEnd(
            end,
            before.active().sizeBytes(),
            highWatermark,
            stableBelow(before.start(), highWatermark));
    return new Appended(base, end - 1, appendTime(batch), before.start(), false);
  }

  private static long appendTime(RecordBatch batch) {
    return switch (batch.timestampType()) {
      case CREATE_TIME -> RecordBatch.NO_TIMESTAMP;
      case LOG_APPEND_TIME -> batch.maxTimestamp();
    };
  }

  private Appended duplicateOf(RecordBatch batch, AppendSource source) {
    return producers
        .check(batch, source)
        .map(
            there ->
                new Appended(
                    there.baseOffset(),
                    there.lastOffset(),
                    there.timestampMs(),
                    view.start(),
                    true))
        .orElse(null);
  }

  private void write(Segment active, RecordBatch batch) throws IOException {
    try {
      active.append(batch);
    } catch (IOException e) {
      try {
        view.active().cutExcess();
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  private void rollIfDue(RecordBatch batch) throws IOException {
    LogSettings now = settings;
    RollRule.Limits limits =
        new RollRule.Limits(now, now.segmentMs() - activeJitterMs, around.clock().millis());
    if (RollRule.isDue(view.active(), batch, view.end(), limits)) {
      roll();
    }
  }

  /** Closes the active segment and begins a new one at the end offset. */
  private void roll() throws IOException {
    LogView before = view;
    before.active().seal();
    producers.takeSnapshot(before.end());
    Segment fresh = Segment.create(segmentSetting(), before.end());
    Segment[] segments = Arrays.copyOf(before.segments(), before.segmentCount() + 1);
    segments[before.segmentCount()] = fresh;
    view = before.withSegments(segments);
    drawJitter();
    around.host().later(0, this::flushInBackground);
  }

  private Segment.Setting segmentSetting() {
    return new Segment.Setting(
        around.disk(),
        identity.directory,
        settings.indexIntervalBytes(),
        around.clock().millis(),
        around.host()::repaired);
  }

  private void drawJitter() {
    long most = settings.segmentJitterMs();
    activeJitterMs = most == 0 ? 0 : around.random().nextLong(Math.min(most, settings.segmentMs()));
  }

  private Commitment commitment() {
    return around.host().commitment(settings.durability());
  }

  private long stableBelow(long start, long highWatermark) {
    return Math.max(start, producers.stableBelow(highWatermark));
  }

  /**
   * Whole batches beginning with the one that holds {@code offset}, as many as fit in {@code
   * maxBytes}; the first whole batch is returned even if it is larger. Empty when {@code offset}
   * equals the bound.
   *
   * @throws OffsetOutOfRangeException below the start or above the bound
   * @throws io.tidelog.segment.CorruptLogException the file does not hold a batch where one should
   *     be
   */
  public LogSlice read(long offset, int maxBytes, ReadUpTo upTo) throws IOException {
    for (; ; ) {
      LogView now = view;
      requireOpen();
      LogSlice slice = reader.read(now, new LogReader.Request(offset, maxBytes, now.bound(upTo)));
      if (slice != null) {
        return slice;
      }
    }
  }

  /** As {@link #read}, but empty if the first batch does not fit in {@code maxBytes}. */
  public LogSlice readWithin(long offset, int maxBytes, ReadUpTo upTo) throws IOException {
    LogSlice slice = read(offset, maxBytes, upTo);
    if (slice.sizeBytes() <= maxBytes) {
      return slice;
    }
    slice.release();
    return LogSlice.EMPTY;
  }

  /**
   * The lowest offset, at or after the start and below the bound, whose timestamp is at or after
   * the target.
   */
  public OffsetAtTime offsetAtTime(long timestampMs, ReadUpTo upTo) throws IOException {
    requireOpen();
    LogView now = view;
    return reader.atTime(now, timestampMs, now.bound(upTo));
  }

  /** The first record that has the largest timestamp. */
  public OffsetAtTime offsetOfMaxTimestamp() throws IOException {
    requireOpen();
    return reader.atMaxTimestamp(view);
  }

  /** Where a leader epoch ends here. */
  public EpochEnd endOfEpoch(int leaderEpoch) {
    return epochs.endOf(leaderEpoch, view.end());
  }

  /** The largest leader epoch written here, or -1. */
  public int latestEpoch() {
    return epochs.latest();
  }

  /** Leader epoch of the record at this offset, or -1. */
  public int epochAt(long offset) {
    return epochs.at(offset);
  }

  /** The state of the producers, to look at. */
  public LogProducers producers() {
    return producers;
  }

  /** Forgets producers that wrote nothing for longer than producer.id.expiration.ms. */
  public void expireProducers() {
    lock.lock();
    try {
      producers.removeExpired(producerCutoffMs());
    } finally {
      lock.unlock();
    }
  }

  /**
   * deleteRecords: moves the start offset up, durably, before it returns. No effect if the start is
   * past it already. Segments that lie below go with the next retention run.
   *
   * @throws OffsetOutOfRangeException above the high watermark
   */
  public void advanceStart(long offset) throws IOException {
    lock.lock();
    try {
      requireOpen();
      LogView before = view;
      if (offset > before.highWatermark() || offset < 0) {
        throw new OffsetOutOfRangeException(
            identity.topicPartition.toString(), offset, before.start(), before.highWatermark());
      }
      if (offset <= before.start()) {
        return;
      }
      view = before.withStart(offset);
      epochs.advanceTo(offset);
    } finally {
      lock.unlock();
    }
    around.host().saveStart(this);
    tellListeners();
  }

  /**
   * Drops the segments that lie wholly below an offset; the start offset moves up to what is left,
   * durably, before any file goes. If that is the whole log, a new segment is begun first.
   *
   * @return how many segments went
   */
  public int dropSegmentsBelow(long offset) throws IOException {
    List<Segment> dropped;
    lock.lock();
    try {
      requireOpen();
      if (offset >= view.end()
          && view.active().sizeBytes() > 0
          && view.highWatermark() == view.end()) {
        roll();
      }
      LogView before = view;
      int count = 0;
      while (count < before.segmentCount() - 1
          && before.endOf(count) <= Math.min(offset, before.highWatermark())) {
        count++;
      }
      if (count == 0) {
        return 0;
      }
      dropped = List.of(Arrays.copyOfRange(before.segments(), 0, count));
      long start = Math.max(before.start(), before.segment(count).baseOffset());
      Segment[] kept = Arrays.copyOfRange(before.segments(), count, before.segmentCount());
      view = before.withStart(start).withSegments(kept);
      epochs.advanceTo(start);
      producers.dropSnapshotsBelow(kept[0].baseOffset());
    } finally {
      lock.unlock();
    }
    around.host().saveStart(this);
    disposal.setAside(dropped, settings.fileDeleteDelayMs());
    tellListeners();
    return dropped.size();
  }

  /**
   * Cuts the log so that it ends at the batch boundary at or before an offset; epochs, producer
   * state and all offsets follow.
   *
   * @throws OffsetOutOfRangeException below the start offset
   */
  public void truncateTo(long offset) throws IOException {
    flusher.lock().lock();
    lock.lock();
    try {
      requireOpen();
      if (offset < view.start()) {
        throw new OffsetOutOfRangeException(
            identity.topicPartition.toString(), offset, view.start(), view.end());
      }
      if (offset < view.end()) {
        truncateLocked(offset);
      }
    } finally {
      lock.unlock();
      flusher.lock().unlock();
    }
    tellListeners();
  }

  private void truncateLocked(long offset) throws IOException {
    LogView before = view;
    int last = before.floor(offset);
    Segment cut = before.segment(last);
    int position = cut.positionOf(offset, before.publishedBytes(last));
    long end =
        position == before.publishedBytes(last)
            ? offset
            : Math.min(offset, cut.batchAt(position).baseOffset());
    Segment reopened = Segment.open(segmentSetting(), cut.baseOffset());
    reopened.truncateTo(position);
    Segment[] kept = Arrays.copyOf(before.segments(), last + 1);
    kept[last] = reopened;
    flusher.cutTo(end, cut.baseOffset());
    epochs.truncateTo(end);
    long start = Math.min(before.start(), end);
    producers.restore(
        List.of(kept), new OffsetRange(start, end), producerCutoffMs(), around.host()::repaired);
    long highWatermark = Math.min(before.highWatermark(), end);
    view =
        new LogView(
            kept,
            new LogView.Offsets(start, stableBelow(start, highWatermark), highWatermark, end),
            position);
    cut.unpin();
    disposal.setAside(
        List.of(Arrays.copyOfRange(before.segments(), last + 1, before.segmentCount())),
        settings.fileDeleteDelayMs());
  }

  /**
   * Makes everything appended so far durable and moves the recovery point. Appends go on meanwhile.
   */
  public void flush() throws IOException {
    flusher.flush(view);
  }

  /** Flushes if flush.messages or flush.ms ask for it. */
  public void flushIfDue() throws IOException {
    if (flusher.isDue(view, settings)) {
      flush();
    }
  }

  private void flushInBackground() {
    try {
      if (!isClosed()) {
        flush();
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  /** The group sync's part: what was written is made durable, then acknowledged. */
  void syncAndCommit() {
    try {
      if (!isClosed()) {
        commitTo(flusher.flush(view));
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void commitTo(long offset) {
    lock.lock();
    try {
      LogView before = view;
      long highWatermark = Math.max(before.highWatermark(), Math.min(offset, before.end()));
      view = before.withHighWatermark(highWatermark, stableBelow(before.start(), highWatermark));
    } finally {
      lock.unlock();
    }
    tellListeners();
  }

  /**
   * After a failed sync nobody knows what is on disk, so nothing more is written until the log is
   * opened again.
   */
  private void fail(IOException cause) {
    LogClosedException reason =
        new LogClosedException(
            identity.topicPartition + " is closed since a sync failed: " + cause.getMessage(),
            cause);
    shut(reason);
    if (closed == reason) {
      around.host().noticed(reason.getMessage());
    }
    tellListeners();
  }

  /**
   * A clean stop: everything is durable, with complete indexes and a producer snapshot at the end
   * offset.
   */
  public void close() throws IOException {
    flusher.lock().lock();
    try {
      shut(new LogClosedException(identity.topicPartition + " is closed", null));
      if (isReleased) {
        return;
      }
      requireNotFailed();
      producers.takeSnapshot(view.end());
      commitTo(flusher.flush(view));
      view.active().cutExcess();
      flusher.flushActiveIndexes(view);
      release();
    } finally {
      flusher.lock().unlock();
    }
    tellListeners();
  }

  /** Takes the log out of service without touching its files; its folder is about to be removed. */
  public void abandon() throws IOException {
    flusher.lock().lock();
    try {
      shut(new LogClosedException(identity.topicPartition + " is out of service", null));
      release();
    } finally {
      flusher.lock().unlock();
    }
    tellListeners();
  }

  /** From here on nothing is appended; the first reason stays. */
  private void shut(LogClosedException reason) {
    lock.lock();
    try {
      if (closed == null) {
        closed = reason;
      }
    } finally {
      lock.unlock();
    }
  }

  private void release() throws IOException {
    if (!isReleased) {
      isReleased = true;
      for (Segment segment : view.segments()) {
        segment.unpin();
      }
    }
  }

  private void requireNotFailed() throws IOException {
    if (closed.getCause() instanceof IOException cause) {
      throw new IOException(closed.getMessage(), cause);
    }
  }

  private long producerCutoffMs() {
    return around.clock().millis() - settings.producerIdExpirationMs();
  }

  private void requireOpen() {
    if (closed != null) {
      throw closed;
    }
  }

  private void tellListeners() {
    for (LogListener listener : listeners) {
      listener.moved(this);
    }
  }

  @Override
  public String toString() {
    return identity.topicPartition + " (" + view + ")";
  }
}
