package io.tidelog.log;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.producer.CorruptSnapshotException;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndedTransaction;
import io.tidelog.producer.OffsetRange;
import io.tidelog.producer.ProducerSnapshots;
import io.tidelog.producer.ProducerState;
import io.tidelog.producer.ProducerStates;
import io.tidelog.producer.Restored;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.WrittenBatch;
import io.tidelog.record.Codecs;
import io.tidelog.record.ControlType;
import io.tidelog.record.EndTransaction;
import io.tidelog.record.Origin;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.Extent;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The producers of one log: their state in memory, its snapshots on disk, and how it is made again
 * from a snapshot and the batches after it. Guarded by the log's lock, but for {@link
 * #syncSnapshots}.
 */
public final class LogProducers {
  private final TopicPartition partition;
  private final ProducerStates states;
  private ProducerSnapshots snapshots;
  private volatile long syncedTo;

  private LogProducers(TopicPartition partition, ProducerSnapshots snapshots) {
    this.partition = partition;
    this.states = new ProducerStates(partition);
    this.snapshots = snapshots;
  }

  /** Finds the snapshots in a partition's folder; {@link #restore} then makes the state. */
  public static LogProducers open(Disk disk, Path directory, TopicPartition partition)
      throws IOException {
    return new LogProducers(partition, ProducerSnapshots.open(disk, directory));
  }

  /** Of a folder that cannot be looked into: nobody is known. */
  public static LogProducers unread(Disk disk, Path directory, TopicPartition partition) {
    return new LogProducers(partition, ProducerSnapshots.unread(disk, directory));
  }

  /**
   * Makes the state at the end of a log: from the newest sound snapshot within it and the batches
   * that follow.
   *
   * @param segments of the log, by rising base offset
   * @param log its start and end offset
   * @param cutoffMs producers that were last heard of at or before this time are left out
   * @param repairs told of damaged snapshots, which are removed
   */
  public void restore(
      List<Segment> segments, OffsetRange log, long cutoffMs, Consumer<String> repairs)
      throws IOException {
    snapshots.deleteStrays(
        segments.stream().map(Segment::baseOffset).collect(Collectors.toUnmodifiableSet()));
    Restored restored = snapshots.restore(states, log, cutoffMs);
    tell(restored.dropped(), repairs);
    // Without a snapshot a transaction that began below the start may be open yet.
    replay(segments, knowsBefore(restored.replayFrom()) ? restored.replayFrom() : 0, log.end());
    states.removeExpired(cutoffMs);
    syncedTo = log.end();
  }

  private static void tell(List<CorruptSnapshotException> removed, Consumer<String> repairs) {
    for (CorruptSnapshotException damage : removed) {
      repairs.accept(
          damage.getMessage()
              + "; the snapshot was removed and its producers made again from the log");
    }
  }

  /**
   * After a crash: removes snapshots that were not durable yet and are torn, old ones too.
   *
   * @param from all before this offset were durable
   * @param repairs told of each
   */
  public void removeTorn(long from, Consumer<String> repairs) throws IOException {
    tell(snapshots.deleteTorn(from), repairs);
  }

  /** The batches from the one that holds an offset on, of segments that end before another. */
  private void replay(List<Segment> segments, long from, long end) throws IOException {
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      long next = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : end;
      if (next > from) {
        new ProducerReplay(this, segment, new Extent(segment.sizeBytes(), next))
            .run(Math.max(from, segment.baseOffset()), LogPart.OPEN, aborted -> {});
      }
    }
  }

  /**
   * The producers as they were before an offset, to look at what comes after it again. Changes no
   * file.
   *
   * @param earlier the segments that lie before the offset
   */
  public LogProducers before(long offset, List<Segment> earlier) throws IOException {
    LogProducers then = new LogProducers(partition, snapshots);
    long from = snapshots.load(then.states, offset).orElse(0);
    then.replay(earlier, from, offset);
    return then;
  }

  /**
   * Takes in the batches of the next segment again, and tells of the transactions it aborts.
   *
   * @param endOffset the offset after the segment's last one
   * @param indexedTo of the markers below this offset the segment's index has all that abort; it
   *     counts where markers are lost with damage
   */
  public void replay(
      Segment segment, long endOffset, long indexedTo, Consumer<AbortedTransaction> sink)
      throws IOException {
    new ProducerReplay(this, segment, new Extent(segment.sizeBytes(), endOffset))
        .run(segment.baseOffset(), indexedTo, sink);
  }

  /**
   * Whether a batch may be written; changes nothing.
   *
   * @param guard of a batch that begins a transaction
   * @return where it already is, if it was sent again
   * @throws io.tidelog.producer.ProducerStateException if it may not
   */
  Optional<WrittenBatch> check(RecordBatch batch, AppendSource source, TransactionGuard guard) {
    if (!batch.hasProducerId()) {
      return Optional.empty();
    }
    if (batch.isControl()) {
      throw new IllegalArgumentException("the end of a transaction goes through appendMarker");
    }
    return states.check(batch, origin(source), guard);
  }

  /** The same for the marker that ends a transaction. */
  void check(EndTransactionMarker marker) {
    states.check(marker);
  }

  private static Origin origin(AppendSource source) {
    return switch (source) {
      case CLIENT -> Origin.CLIENT;
      case COORDINATOR -> Origin.BROKER;
    };
  }

  /**
   * Takes in a batch that was written; a control batch with all its bytes.
   *
   * @return the transaction that it ended, if that does not count
   */
  Optional<AbortedTransaction> apply(RecordBatch batch) {
    if (!batch.hasProducerId()) {
      return Optional.empty();
    }
    if (!batch.isControl()) {
      states.apply(batch);
      return Optional.empty();
    }
    try (Codecs codecs = KafkaCodecs.create()) {
      RecordCursor marker = new RecordCursor(codecs);
      marker.open(batch, UnpackLimits.DEFAULT);
      return marker.next() ? end(batch, marker) : Optional.empty();
    }
  }

  private Optional<AbortedTransaction> end(RecordBatch batch, RecordCursor marker) {
    ControlType outcome = ControlType.ofKey(marker.key());
    return states
        .endTransaction(batch, EndTransaction.ofValue(marker.value()).coordinatorEpoch())
        .filter(ended -> outcome == ControlType.ABORT)
        .map(LogProducers::aborted);
  }

  /**
   * All transactions that are open now count as aborted by markers that are lost.
   *
   * @param endOffset the offset after the last of these
   */
  public void abortOpen(long endOffset, Consumer<AbortedTransaction> sink) {
    List<Long> open = states.inTransaction();
    long marker = endOffset - open.size();
    for (long producerId : open) {
      states.endWithoutMarker(producerId, marker).map(LogProducers::aborted).ifPresent(sink);
      marker++;
    }
  }

  private static AbortedTransaction aborted(EndedTransaction ended) {
    return new AbortedTransaction(
        ended.producerId(), ended.firstOffset(), ended.markerOffset(), ended.lastStableOffset());
  }

  /**
   * Whether a transaction may have ended before an offset, unless a snapshot says that none has.
   */
  boolean mayKnowEnded(long offset) throws IOException {
    Optional<List<ProducerState>> then = snapshots.at(offset);
    return then.isEmpty() || knowsEnded(then.get());
  }

  /** When the snapshot before an offset was written, at the latest; empty if there is none. */
  OptionalLong snapshotTakenMs(long offset) throws IOException {
    return snapshots.writtenMs(offset);
  }

  /** Whether one of these producers has ended a transaction. */
  static boolean knowsEnded(Collection<ProducerState> producers) {
    return producers.stream().anyMatch(producer -> producer.coordinatorEpoch() >= 0);
  }

  /** Whether {@link #before} has all that came before an offset. */
  boolean knowsBefore(long offset) {
    return offset == 0 || snapshots.offsets().contains(offset);
  }

  /** The state. */
  ProducerStates states() {
    return states;
  }

  /** Writes a snapshot of the state before an offset; durable after {@link #syncSnapshots}. */
  void takeSnapshot(long offset) throws IOException {
    snapshots.write(offset, states);
    syncedTo = Math.min(syncedTo, offset - 1);
  }

  /** Writes a snapshot of the state before an offset, durably. */
  public void writeSnapshot(long offset) throws IOException {
    takeSnapshot(offset);
    syncSnapshots();
  }

  /** Makes the snapshots durable that were written since the last time. */
  void syncSnapshots() throws IOException {
    for (long offset : snapshots.offsets()) {
      if (offset > syncedTo) {
        snapshots.sync(offset);
        syncedTo = offset;
      }
    }
  }

  /** The snapshots lie in another folder now, all durable. */
  void moveTo(ProducerSnapshots others) {
    snapshots = others;
  }

  /** Where no segment begins any more. */
  void dropSnapshotsAt(Collection<Long> offsets) throws IOException {
    snapshots.deleteAt(offsets);
  }

  void dropSnapshotsBelow(long offset) throws IOException {
    snapshots.deleteBelow(offset);
  }
}
