package io.tidelog.log;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.producer.ActiveProducer;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.producer.ProducerStates;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The log of one partition. One writer at a time, any number of readers without a lock; made by the
 * recovery package's opener.
 *
 * <p>An append goes: validate the batch, check its sequence number, roll if due, stamp base offset
 * and leader epoch into the given buffer, one write, note it in the indexes, publish the next
 * {@link LogView}. Until it is published nobody sees any of it, and what a failed append leaves
 * past the end is cut, or overwritten by the next one.
 */
public final class PartitionLog {
  private static final long RETRY_MS = 1000;

  private final Identity identity;
  private final LogSurroundings around;
  private final LogWriter writer;
  private final LogReader reader;
  private final LogStart start;
  private final LogListeners listeners = new LogListeners();
  private boolean isReleased;

  /**
   * Which log this is.
   *
   * @param topicPartition its name
   * @param topicId its topic's id
   * @param directory its folder
   */
  public record Identity(TopicPartition topicPartition, TopicId topicId, Path directory) {}

  public PartitionLog(
      Identity identity, LogSurroundings around, LogSettings settings, LogContents contents) {
    this.identity = identity;
    this.around = around;
    this.writer = new LogWriter(identity, around, settings, contents);
    AbortedCheck check = new AbortedCheck(writer, around);
    this.reader = new LogReader(identity.topicPartition.toString(), new AbortedSearch(check));
    this.start = new LogStart(this, around.host(), writer);
  }

  public TopicPartition topicPartition() {
    return identity.topicPartition;
  }

  public TopicId topicId() {
    return identity.topicId;
  }

  /** The partition's folder now; it has another name once the log is deleted. */
  public Path directory() {
    return view().directory();
  }

  /** The offsets now. */
  public LogView view() {
    return writer.view();
  }

  public LogSettings settings() {
    return writer.settings();
  }

  /** Takes effect at once: for the next append, roll, retention run and flush. */
  public void apply(LogSettings next) {
    writer.apply(next);
  }

  /** Offset below which all is durable. */
  public long recoveryPoint() {
    return writer.flusher().recoveryPoint();
  }

  /** The start offset that a checkpoint is to hold: the one now, or the one that comes next. */
  public long startToSave() {
    return start.toSave();
  }

  /** The segments now, by rising base offset. The last one is active. */
  public List<Segment> segments() {
    return List.of(view().segments());
  }

  /** Bytes of all segments' logs. */
  public long sizeBytes() {
    return segments().stream().mapToLong(Segment::sizeBytes).sum();
  }

  LogWriter writer() {
    return writer;
  }

  public boolean isClosed() {
    return writer.isClosed();
  }

  /** Tells the listener of every move from now on; adding it again has no effect. */
  public void addListener(LogListener listener) {
    listeners.add(listener);
  }

  /** No effect if it does not listen. A move that is under way may still be told. */
  public void removeListener(LogListener listener) {
    listeners.remove(listener);
  }

  /**
   * Validates one batch, numbers it in place (base offset and leader epoch in the given buffer),
   * writes it and publishes it. With page-cache durability the high watermark has moved when this
   * returns; with fsync it moves later (listen).
   *
   * @throws io.tidelog.record.InvalidBatchException the batch breaks a rule; nothing was written
   * @throws ProducerStateException sequence, epoch or transaction refused; nothing was written
   * @throws LogClosedException the log is closed or has failed
   * @throws NoRoomException from a client, while what is free is kept; nothing was written
   * @throws io.tidelog.disk.DiskFullException no room; nothing was published
   */
  public Appended append(ByteBuffer produced, int leaderEpoch, AppendSource source)
      throws IOException {
    return append(produced, leaderEpoch, source, TransactionGuard.NONE);
  }

  /**
   * As {@link #append(ByteBuffer, int, AppendSource)}, for a batch with which a producer begins a
   * transaction here.
   *
   * @param guard from {@link #guardTransaction}, after the transaction coordinator has said that
   *     this partition is part of the transaction
   */
  public Appended append(
      ByteBuffer produced, int leaderEpoch, AppendSource source, TransactionGuard guard)
      throws IOException {
    Appended appended;
    try (Validation validation = around.validations().borrow()) {
      RecordBatch batch =
          validation.validate(produced, source, settings(), around.clock().millis());
      appended = writer.append(batch, leaderEpoch, source, guard);
    }
    if (!appended.duplicate()) {
      wasWritten();
    }
    return appended;
  }

  private void wasWritten() throws IOException {
    writer.commitment().written(this);
    flushIfDue();
    tellListeners();
  }

  /**
   * What a batch needs with which a producer begins a transaction here: to be taken before the
   * transaction coordinator is asked whether this partition is part of the transaction.
   *
   * @return empty if the transaction is open here already, in that epoch: then it may be appended
   *     at once
   * @throws ProducerStateException the epoch is old
   */
  public Optional<TransactionGuard> guardTransaction(FirstBatch batch) {
    return writer.askProducers(states -> states.guard(batch, around.clock().millis()));
  }

  /**
   * Appends the marker that ends a producer's transaction, as {@link #append} does with batches. If
   * none is open it is written all the same.
   *
   * @throws ProducerStateException a newer instance of the producer, or a newer coordinator, has
   *     written here; nothing was written
   */
  public Appended appendMarker(EndTransactionMarker marker, int leaderEpoch) throws IOException {
    Appended appended;
    try (Validation validation = around.validations().borrow()) {
      RecordBatch batch = validation.batchOf(marker, settings(), around.clock().millis());
      appended = writer.append(batch, leaderEpoch, marker);
    }
    wasWritten();
    return appended;
  }

  /**
   * Whole batches beginning with the one that holds {@code offset}, as many as fit in {@code
   * maxBytes}; the first whole batch is returned even if it is larger. Empty when {@code offset} is
   * at the bound, or between it and the end: what is there may not be given out yet.
   *
   * @throws OffsetOutOfRangeException below the start or above the end
   * @throws io.tidelog.segment.CorruptLogException the file does not hold a batch where one should
   *     be
   */
  public LogSlice read(long offset, int maxBytes, ReadUpTo upTo) throws IOException {
    return ask(now -> reader.read(now, new LogReader.Request(offset, maxBytes, upTo)));
  }

  /** A question to one view; null if a segment of that went out of service meanwhile. */
  @FunctionalInterface
  private interface Question<T> {
    T to(LogView view) throws IOException;
  }

  private <T> T ask(Question<T> question) throws IOException {
    while (true) {
      writer.requireOpen();
      T answer = question.to(view());
      if (answer != null) {
        return answer;
      }
      Thread.onSpinWait();
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
    return ask(now -> TimeSearch.in(now, around, search -> search.atOrAfter(timestampMs, upTo)));
  }

  /** The first record that has the largest timestamp. */
  public OffsetAtTime offsetOfMaxTimestamp() throws IOException {
    return ask(now -> TimeSearch.in(now, around, TimeSearch::latest));
  }

  /** Where a leader epoch ends here. */
  public EpochEnd endOfEpoch(int leaderEpoch) {
    return writer.epochs().endOf(leaderEpoch, view().end());
  }

  /** The largest leader epoch written here, or -1. */
  public int latestEpoch() {
    return writer.epochs().latest();
  }

  /** Leader epoch of the record at this offset, or -1. */
  public int epochAt(long offset) {
    return writer.epochs().at(offset);
  }

  /** What is remembered of each producer, all at one moment. */
  public List<ActiveProducer> activeProducers() {
    return writer.askProducers(ProducerStates::active);
  }

  /** Forgets producers that wrote nothing for longer than producer.id.expiration.ms. */
  public void expireProducers() {
    writer.expireProducers();
  }

  /**
   * deleteRecords: makes it durable that the log starts here, then lets nobody read below. No
   * effect if the start is past it already. Segments that lie below go with the next retention run.
   *
   * @throws OffsetOutOfRangeException above the high watermark
   */
  public void advanceStart(long offset) throws IOException {
    if (start.advanceTo(offset)) {
      tellListeners();
    }
  }

  /**
   * Drops the segments that lie wholly below an offset; the start offset moves up to what is left,
   * durably, before any file goes. If that is the whole log, a new segment is begun first.
   *
   * @return how many segments went
   */
  public int dropSegmentsBelow(long offset) throws IOException {
    int dropped = start.dropSegmentsBelow(offset);
    if (dropped > 0) {
      tellListeners();
    }
    return dropped;
  }

  /**
   * Cuts the log so that it ends at the batch boundary at or before an offset; epochs, producer
   * state and all offsets follow. Durable when it returns. If the disk fails meanwhile the log is
   * closed.
   *
   * @throws OffsetOutOfRangeException below the start offset
   */
  public void truncateTo(long offset) throws IOException {
    try {
      writer.truncateTo(offset, this);
    } finally {
      tellListeners();
    }
  }

  /**
   * Makes everything appended so far durable and moves the recovery point. Appends go on meanwhile.
   */
  public void flush() throws IOException {
    try {
      writer.flush();
    } finally {
      if (isClosed()) {
        tellListeners();
      }
    }
  }

  /** Flushes if flush.messages or flush.ms ask for it. */
  public void flushIfDue() throws IOException {
    if (writer.flusher().isDue(view(), settings())) {
      flush();
    }
  }

  /** The group sync's part: what was written is made durable, then acknowledged. */
  void syncAndCommit() {
    try {
      writer.commitTo(writer.flush());
    } catch (LogClosedException goneMeanwhile) {
      return;
    } catch (IOException e) {
      if (!isClosed()) {
        around.host().noticed(this + " waits for its disk: " + e.getMessage());
        around.host().later(RETRY_MS, () -> writer.commitment().written(this));
      }
    }
    tellListeners();
  }

  /**
   * A clean stop: everything is durable, with complete indexes and a producer snapshot at the end
   * offset. No effect if the log is out of service already.
   *
   * @throws IOException if that cannot be had, because the disk fails now or has failed before
   */
  public void close() throws IOException {
    writer.flusher().lock().lock();
    try {
      writer.shut(new LogClosedException(identity.topicPartition + " is closed", null));
      if (!isReleased) {
        writer.finish();
        release();
      }
    } finally {
      writer.flusher().lock().unlock();
    }
    tellListeners();
  }

  /** Takes the log out of service as it is. */
  public void abandon() throws IOException {
    writer.flusher().lock().lock();
    try {
      writer.shut(new LogClosedException(identity.topicPartition + " is out of service", null));
      release();
    } finally {
      writer.flusher().lock().unlock();
    }
    tellListeners();
  }

  private void release() throws IOException {
    if (!isReleased) {
      isReleased = true;
      for (Segment segment : view().segments()) {
        segment.retire();
        segment.unpin();
      }
    }
  }

  void tellListeners() {
    listeners.tell(this);
  }

  @Override
  public String toString() {
    return identity.topicPartition + " (" + view() + ")";
  }
}
