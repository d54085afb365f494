package io.tidelog.log;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Skeleton: one partition's log. One writer at a time, any number of lock-free readers. */
public final class PartitionLog {

  private PartitionLog() {}

  public TopicPartition topicPartition() {
    throw new IllegalStateException("skeleton");
  }

  public TopicId topicId() {
    throw new IllegalStateException("skeleton");
  }

  public Path directory() {
    throw new IllegalStateException("skeleton");
  }

  /** The offsets now. */
  public LogView view() {
    throw new IllegalStateException("skeleton");
  }

  public LogSettings settings() {
    throw new IllegalStateException("skeleton");
  }

  /** Takes effect at once, for the next append, roll, retention run, … */
  public void apply(LogSettings settings) {
    throw new IllegalStateException("skeleton");
  }

  /**
   * Validates one batch, numbers it in place (base offset and leader epoch in the given buffer),
   * writes it and publishes it. With page-cache durability the high watermark has moved when this
   * returns; with fsync it moves later (listen).
   *
   * @throws io.tidelog.record.InvalidBatchException the batch breaks a rule; nothing was written
   * @throws io.tidelog.producer.ProducerStateException sequence or epoch refused; nothing was
   *     written
   * @throws LogClosedException the log is closed or failed
   * @throws io.tidelog.disk.DiskFullException no room; nothing was published
   */
  public Appended append(ByteBuffer batch, int leaderEpoch, AppendSource source)
      throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /**
   * Whole batches beginning with the one that holds {@code offset}, as many as fit in {@code
   * maxBytes}; the first whole batch is returned even if it is larger. Empty when {@code offset}
   * equals the bound.
   *
   * @throws OffsetOutOfRangeException below the start or above the bound
   */
  public LogSlice read(long offset, int maxBytes, ReadUpTo bound) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** As {@link #read} but empty if the first batch does not fit in {@code maxBytes}. */
  public LogSlice readWithin(long offset, int maxBytes, ReadUpTo bound) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** The lowest offset whose timestamp is at or after the target, below the bound. */
  public OffsetAtTime offsetAtTime(long timestampMs, ReadUpTo bound) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** The first record that has the largest timestamp. */
  public OffsetAtTime offsetOfMaxTimestamp() throws IOException {
    throw new IllegalStateException("skeleton");
  }

  public EpochEnd endOfEpoch(int leaderEpoch) {
    throw new IllegalStateException("skeleton");
  }

  /** The largest leader epoch written here, or -1. */
  public int latestEpoch() {
    throw new IllegalStateException("skeleton");
  }

  /** Leader epoch of the record at this offset, or -1 (for the answers to ListOffsets). */
  public int epochAt(long offset) {
    throw new IllegalStateException("skeleton");
  }

  /**
   * deleteRecords: moves the start offset up, durably, before it returns. No effect if the start is
   * past it already.
   *
   * @throws OffsetOutOfRangeException above the high watermark
   */
  public void advanceStart(long offset) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** Makes everything appended so far durable and moves the recovery point. */
  public void flush() throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** Bytes of all segments' .log files. */
  public long sizeBytes() {
    throw new IllegalStateException("skeleton");
  }

  public boolean isClosed() {
    throw new IllegalStateException("skeleton");
  }

  public void addListener(LogListener listener) {
    throw new IllegalStateException("skeleton");
  }

  public void removeListener(LogListener listener) {
    throw new IllegalStateException("skeleton");
  }
}
