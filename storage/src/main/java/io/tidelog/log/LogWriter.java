package io.tidelog.log;

import io.tidelog.disk.DiskFullException;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.ProducerStates;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.WrittenBatch;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

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
  private final Truncation truncation;
  private final RollRule rollRule;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile LogSettings settings;
  private volatile LogView view;
  private volatile LogClosedException closed;

  LogWriter(
      PartitionLog.Identity identity,
      LogSurroundings around,
      LogSettings settings,
      LogContents contents) {
    this.identity = identity;
    this.around = around;
    this.settings = settings;
    this.epochs = contents.epochs();
    this.producers = contents.producers();
    this.flusher = new Flusher(around, contents);
    this.disposal = new SegmentDisposal(around);
    this.truncation = new Truncation(around, epochs, producers, disposal);
    this.rollRule = new RollRule(around);
    Segment[] segments = contents.segments().toArray(Segment[]::new);
    this.view = viewOf(segments, contents.start(), contents.end(), contents.end());
    rollRule.drawJitter(settings);
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

  LeaderEpochs epochs() {
    return epochs;
  }

  LogProducers producers() {
    return producers;
  }

  /** Shows another view; only within {@link #alone}. */
  void publish(LogView next) {
    view = next;
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
  Appended append(RecordBatch batch, int leaderEpoch, AppendSource source, TransactionGuard guard)
      throws IOException {
    lock.lock();
    try {
      requireOpen();
      Optional<WrittenBatch> there = producers.check(batch, source, guard);
      if (there.isPresent()) {
        return Appended.again(there.get(), view.start());
      }
      if (source == AppendSource.CLIENT) {
        around.host().takeRoom(view.directory(), batch.sizeBytes());
      }
      return appendNew(batch, leaderEpoch);
    } finally {
      lock.unlock();
    }
  }

  /** The same for the batch of a marker that ends a transaction. */
  Appended append(RecordBatch batch, int leaderEpoch, EndTransactionMarker marker)
      throws IOException {
    lock.lock();
    try {
      requireOpen();
      producers.check(marker);
      return appendNew(batch, leaderEpoch);
    } finally {
      lock.unlock();
    }
  }

  private Appended appendNew(RecordBatch batch, int leaderEpoch) throws IOException {
    if (rollRule.isDue(view, batch, settings)) {
      roll();
    }
    LogView before = view;
    long base = before.end();
    batch.stampBaseOffset(base);
    batch.stampLeaderEpoch(leaderEpoch);
    write(before.active(), batch);
    epochs.note(leaderEpoch, base);
    Optional<AbortedTransaction> aborted = producers.apply(batch);
    if (aborted.isPresent()) {
      note(before.active(), aborted.get());
    }
    long end = batch.nextOffset();
    long highWatermark = commitment().highWatermarkAfter(before.highWatermark(), end);
    view =
        before.withEnd(
            end,
            before.active().sizeBytes(),
            highWatermark,
            stableBelow(before.start(), highWatermark));
    return Appended.now(batch, before.start());
  }

  /** If a batch can neither be written nor be taken back, nothing may come after it. */
  private void write(Segment active, RecordBatch batch) throws IOException {
    try {
      active.append(batch);
    } catch (IOException e) {
      try {
        active.cutExcess();
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
        fail(e);
      }
      throw e;
    }
  }

  /** Readers that do not know of it would take the records for good ones. */
  private void note(Segment active, AbortedTransaction aborted) throws IOException {
    try {
      active.aborted().append(aborted);
    } catch (IOException e) {
      fail(e);
      throw e;
    }
  }

  /** Closes the active segment and begins a new one at the end offset. */
  void roll() throws IOException {
    LogView before = view;
    before.active().seal();
    producers.takeSnapshot(before.end());
    Segment[] segments = Arrays.copyOf(before.segments(), before.segmentCount() + 1);
    segments[before.segmentCount()] =
        Segment.create(around.segmentSetting(view.directory(), settings), before.end());
    view = before.withSegments(segments);
    rollRule.drawJitter(settings);
    around.host().later(0, this::flushInBackground);
  }

  /** Lets nobody read below an offset any more, which is durable already. */
  void showStart(long offset) {
    lock.lock();
    try {
      view = view.withStart(offset);
      epochs.advanceTo(offset);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How many segments lie wholly below an offset and may go. If it lies at the end, where nobody
   * waits for the high watermark, a new segment is begun first, so that all others can go.
   */
  int countSegmentsBelow(long offset) throws IOException {
    lock.lock();
    try {
      LogView now = view;
      if (offset >= now.end() && now.active().sizeBytes() > 0 && now.highWatermark() == now.end()) {
        roll();
      }
    } catch (DiskFullException full) {
      // The closed segments can go nevertheless, and make room.
    } finally {
      lock.unlock();
    }
    LogView left = view;
    int count = 0;
    while (count < left.segmentCount() - 1
        && left.endOf(count) <= Math.min(offset, left.highWatermark())) {
      count++;
    }
    return count;
  }

  /** Takes the oldest segments out of the view, then their files away. */
  void drop(int count, SegmentDisposal.Order order) throws IOException {
    disposal.setAside(detach(count), order, settings.fileDeleteDelayMs());
  }

  private List<Segment> detach(int count) throws IOException {
    lock.lock();
    try {
      LogView before = view;
      Segment[] kept = Arrays.copyOfRange(before.segments(), count, before.segmentCount());
      producers.dropSnapshotsBelow(kept[0].baseOffset());
      view = before.withSegments(kept);
      return List.of(Arrays.copyOf(before.segments(), count));
    } finally {
      lock.unlock();
    }
  }

  /** A change that takes all of an open log, files too. */
  @FunctionalInterface
  interface Change {
    void run() throws IOException;
  }

  /** Makes a change while nobody else changes, flushes or closes the log. */
  void alone(Change change) throws IOException {
    flusher.lock().lock();
    lock.lock();
    try {
      requireOpen();
      change.run();
    } finally {
      lock.unlock();
      flusher.lock().unlock();
    }
  }

  /** Cuts the log, whose face is given, at the batch boundary at or before an offset. */
  void truncateTo(long offset, PartitionLog self) throws IOException {
    alone(() -> truncation.cut(offset, this, self));
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
    askProducers(
        states -> {
          states.removeExpired(settings.producerCutoffMs(around.clock().millis()));
          return null;
        });
  }

  /** A question to the state of the producers, which stands still meanwhile. */
  <T> T askProducers(Function<ProducerStates, T> question) {
    lock.lock();
    try {
      return question.apply(producers.states());
    } finally {
      lock.unlock();
    }
  }

  /** After a roll the closed segment is made durable, so that a crash need not read it again. */
  private void flushInBackground() {
    try {
      flush();
    } catch (LogClosedException goneMeanwhile) {
      // There is nothing to flush.
    } catch (IOException e) {
      if (!isClosed()) {
        around
            .host()
            .noticed(identity.topicPartition() + " could not be flushed: " + e.getMessage());
      }
    }
  }

  /**
   * Makes everything appended so far durable and moves the recovery point there.
   *
   * @return that point
   * @throws LogClosedException the log is closed or has failed
   * @throws IOException if that cannot be had; if a sync failed the log is closed too
   */
  long flush() throws IOException {
    try {
      return flusher.flush(this::openView);
    } catch (SyncFailedException e) {
      fail(e);
      throw e;
    }
  }

  /** The offsets now, of a log that is open. */
  LogView openView() {
    requireOpen();
    return view;
  }

  /**
   * When nobody knows any more what is on disk nothing is written until the log is opened again.
   */
  void fail(IOException cause) {
    LogClosedException reason =
        new LogClosedException(
            identity.topicPartition() + " is closed since its disk failed: " + cause.getMessage(),
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
    try {
      producers.takeSnapshot(view.end());
      view.active().cutExcess();
      commitTo(flusher.flush(this::view));
      flusher.requireComplete();
      flusher.flushActiveIndexes(view);
    } catch (SyncFailedException e) {
      closed = new LogClosedException(closed.getMessage() + ", unclean", e);
      throw e;
    }
  }

  LogView viewOf(Segment[] segments, long start, long highWatermark, long end) {
    return new LogView(
        segments,
        new LogView.Offsets(start, stableBelow(start, highWatermark), highWatermark, end),
        segments[segments.length - 1].sizeBytes());
  }

  private long stableBelow(long start, long highWatermark) {
    return Math.max(start, producers.states().stableBelow(highWatermark));
  }

  OffsetOutOfRangeException outOfRange(long offset, long bound) {
    return new OffsetOutOfRangeException(
        identity.topicPartition().toString(), offset, view.start(), bound);
  }
}
