package io.tidelog.producer;

import io.tidelog.disk.Disk;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Skeleton (the real one replaces it, with these methods): knows no producer. */
public final class ProducerStates {
  private long mapEnd;

  private ProducerStates(long mapEnd) {
    this.mapEnd = mapEnd;
  }

  /** An earlier batch that the one at hand repeats. */
  public record Earlier(long baseOffset, long lastOffset, long timestamp) {}

  /**
   * From the newest sound snapshot at or below the end offset; snapshots past it are removed;
   * without one, empty at offset 0.
   */
  public static ProducerStates open(Disk disk, Path directory, long end) throws IOException {
    return new ProducerStates(end);
  }

  /**
   * Whether a batch may be appended; no visible change. Present: it is there already. Throws
   * ProducerStateException otherwise.
   */
  public Optional<Earlier> check(RecordBatch batch) {
    return Optional.empty();
  }

  /** Takes note of a batch that was just appended, with its final offsets. */
  public void apply(RecordBatch batch) {
    mapEnd = batch.nextOffset();
  }

  /** Takes note of a batch that is read again from the log: no checks. */
  public void replay(RecordBatch batch) {
    mapEnd = batch.nextOffset();
  }

  /** The offset up to which batches were noted: replay goes on from here. */
  public long mapEnd() {
    return mapEnd;
  }

  /** All batches up to here were noted. */
  public void mapEndIs(long end) {
    mapEnd = end;
  }

  /** First offset of the oldest open transaction. */
  public OptionalLong firstOpenOffset() {
    return OptionalLong.empty();
  }

  /** Writes a snapshot named by the offset, unless there is one. */
  public void takeSnapshot(long offset) throws IOException {}

  /** Removes snapshots below an offset. */
  public void dropSnapshotsBelow(long offset) throws IOException {}

  /**
   * Goes back to the newest snapshot at or below the end, removing later ones; replay goes on from
   * {@link #mapEnd}.
   */
  public void truncateTo(long end) throws IOException {
    mapEnd = end;
  }

  /** Forgets producers whose newest batch is older than this. */
  public void expire(long nowMs, long expirationMs) {}
}
