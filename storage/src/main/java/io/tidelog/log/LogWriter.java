package io.tidelog.log;

import io.tidelog.producer.OffsetRange;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All that changes a log, one change at a time, under its lock: append, roll, moves of the start
 * and the high watermark, truncation. Each change ends by publishing the next view. Whoever takes
 * the flusher's lock too takes that first.
 */
final class LogWriter {
  private final PartitionLog.Identity identity;
  private final LogSurroundings around;
  private final LeaderEpochs epochs;
  private final LogProducers producers;
  private final Flusher flusher;
  private final SegmentDisposal disposal;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile LogSettings settings;
  private volatile LogView view;
  private volatile LogClosedException closed;
  private long activeJitterMs;

  LogWriter(
      PartitionLog.Identity identity,
      LogSurroundings around,
      LogSettings settings,
      PartitionLog.Contents contents) {
    this.identity = identity;
    this.around = around;
    this.settings = settings;
    this.epochs = contents.epochs();
    this.producers = contents.producers();
    this.flusher = new Flusher(identity.directory(), around, contents);
    this.disposal = new SegmentDisposal(around);
    Segment[] segments = contents.segments().toArray(Segment[]::new);
    this.view = viewOf(segments, contents.start(), contents.end(), contents.end());
    drawJitter();
  }

  LogView view() {
    return view;
  }

  LogSettings settings() {
    return settings;
  }

  void apply(LogSettings next) {
    settings = next;
  }

  Flusher flusher() {
    return flusher;
  }

  boolean isClosed() {
    return closed != null;
  }

  void requireOpen() {
    if (closed != null) {
      throw closed;
    }
  }

  Commitment commitment() {
    return around.host().commitment(settings.durability());
  }

  /** Numbers a valid batch, writes it and publishes it, unless it is there already. */
  Appended append(RecordBatch batch, int leaderEpoch, AppendSource source) throws IOException {
    lock.lock();
    try {
      requireOpen();
      Appended earlier = duplicateOf(batch, source);
      if (earlier != null) {
        return earlier;
      }
      rollIfDue(batch);
      return appendNew(batch, leaderEpoch);
    } finally {
      lock.unlock();
    }
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

  private Appended appendNew(RecordBatch batch, int leaderEpoch) throws IOException {
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

  private static void write(Segment active, RecordBatch batch) throws IOException {
    try {
      active.append(batch);
    } catch (IOException e) {
      try {
        active.cutExcess();
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  private static long appendTime(RecordBatch batch) {
    return switch (batch.timestampType()) {
      case CREATE_TIME -> RecordBatch.NO_TIMESTAMP;
      case LOG_APPEND_TIME -> batch.maxTimestamp();
    };
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
    Segment[] segments = Arrays.copyOf(before.segments(), before.segmentCount() + 1);
    segments[before.segmentCount()] = Segment.create(segmentSetting(), before.end());
    view = before.withSegments(segments);
    drawJitter();
    around.host().later(0, this::flushInBackground);
  }

  private Segment.Setting segmentSetting() {
    return new Segment.Setting(
        around.disk(),
        identity.directory(),
        settings.indexIntervalBytes(),
        around.clock().millis(),
        around.host()::repaired);
  }

  private void drawJitter() {
    long most = settings.segmentJitterMs();
    activeJitterMs = most == 0 ? 0 : around.random().nextLong(Math.min(most, settings.segmentMs()));
  }

  /** Moves the start offset up; whether it moved. */
  boolean advanceStart(long offset) {
    lock.lock();
    try {
      requireOpen();
      LogView before = view;
      if (offset > before.highWatermark() || offset < 0) {
        throw outOfRange(offset, before.highWatermark());
      }
      if (offset <= before.start()) {
        return false;
      }
      view = before.withStart(offset);
      epochs.advanceTo(offset);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the segments that lie wholly below an offset out of the view; their files are still
   * there.
   */
  List<Segment> detachSegmentsBelow(long offset) throws IOException {
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
      if (count > 0) {
        Segment[] kept = Arrays.copyOfRange(before.segments(), count, before.segmentCount());
        long start = Math.max(before.start(), kept[0].baseOffset());
        view = before.withStart(start).withSegments(kept);
        epochs.advanceTo(start);
        producers.dropSnapshotsBelow(kept[0].baseOffset());
      }
      return List.of(Arrays.copyOf(before.segments(), count));
    } finally {
      lock.unlock();
    }
  }

  void dispose(List<Segment> detached) throws IOException {
    disposal.setAside(detached, settings.fileDeleteDelayMs());
  }

  /** Cuts the log at the batch boundary at or before an offset. */
  void truncateTo(long offset) throws IOException {
    flusher.lock().lock();
    lock.lock();
    try {
      requireOpen();
      if (offset < view.start()) {
        throw outOfRange(offset, view.end());
      }
      if (offset < view.end()) {
        cutAt(offset);
      }
    } finally {
      lock.unlock();
      flusher.lock().unlock();
    }
  }

  private void cutAt(long offset) throws IOException {
    LogView before = view;
    int last = before.floor(offset);
    Segment cut = before.segment(last);
    int position = cut.positionOf(offset, before.publishedBytes(last));
    long end =
        position == before.publishedBytes(last)
            ? offset
            : Math.min(offset, cut.batchAt(position).baseOffset());
    cut.retire();
    Segment reopened = Segment.openActive(segmentSetting(), cut.baseOffset());
    reopened.truncateTo(position);
    Segment[] kept = Arrays.copyOf(before.segments(), last + 1);
    kept[last] = reopened;
    flusher.cutTo(end, cut.baseOffset());
    epochs.truncateTo(end);
    long start = Math.min(before.start(), end);
    producers.restore(
        List.of(kept), new OffsetRange(start, end), producerCutoffMs(), around.host()::repaired);
    view = viewOf(kept, start, Math.min(before.highWatermark(), end), end);
    cut.unpin();
    dispose(List.of(Arrays.copyOfRange(before.segments(), last + 1, before.segmentCount())));
  }

  /** Moves the high watermark up to an offset. */
  void commitTo(long offset) {
    lock.lock();
    try {
      LogView before = view;
      long highWatermark = Math.max(before.highWatermark(), Math.min(offset, before.end()));
      view = before.withHighWatermark(highWatermark, stableBelow(before.start(), highWatermark));
    } finally {
      lock.unlock();
    }
  }

  void expireProducers() {
    lock.lock();
    try {
      producers.removeExpired(producerCutoffMs());
    } finally {
      lock.unlock();
    }
  }

  /** After a roll the closed segment is made durable, so that a crash need not read it again. */
  private void flushInBackground() {
    try {
      if (!isClosed()) {
        flusher.flush(view);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  /**
   * After a failed sync nobody knows what is on disk, so nothing more is written until the log is
   * opened again.
   */
  void fail(IOException cause) {
    LogClosedException reason =
        new LogClosedException(
            identity.topicPartition() + " is closed since a sync failed: " + cause.getMessage(),
            cause);
    if (shut(reason)) {
      around.host().noticed(reason.getMessage());
    }
  }

  /** From here on nothing is appended. The first reason stays; whether this is it. */
  boolean shut(LogClosedException reason) {
    lock.lock();
    try {
      boolean isFirst = closed == null;
      closed = isFirst ? reason : closed;
      return isFirst;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The last step before a clean stop, after the log was shut: all is made durable, indexes and
   * producers too.
   */
  void finish() throws IOException {
    if (closed.getCause() instanceof IOException cause) {
      throw new IOException(closed.getMessage(), cause);
    }
    producers.takeSnapshot(view.end());
    view.active().cutExcess();
    commitTo(flusher.flush(view));
    flusher.flushActiveIndexes(view);
  }

  private LogView viewOf(Segment[] segments, long start, long highWatermark, long end) {
    return new LogView(
        segments,
        new LogView.Offsets(start, stableBelow(start, highWatermark), highWatermark, end),
        segments[segments.length - 1].sizeBytes());
  }

  private long stableBelow(long start, long highWatermark) {
    return Math.max(start, producers.stableBelow(highWatermark));
  }

  private long producerCutoffMs() {
    return around.clock().millis() - settings.producerIdExpirationMs();
  }

  private OffsetOutOfRangeException outOfRange(long offset, long bound) {
    return new OffsetOutOfRangeException(
        identity.topicPartition().toString(), offset, view.start(), bound);
  }
}
