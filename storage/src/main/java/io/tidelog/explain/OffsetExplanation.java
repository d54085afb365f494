package io.tidelog.explain;

import io.tidelog.checkpoint.EpochEntry;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.TxnIndexWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What became of an offset.
 *
 * @param offset the offset
 * @param place what is there
 * @param log the file that was searched, if one was
 * @param lookup how it was searched
 * @param record the record, if there is one
 * @param leaderEpoch the epoch that the leader epoch checkpoint has for the offset
 * @param aborted the aborted transaction that it is part of
 * @param stable the log's last stable offset
 * @param damage what is wrong here, if something is
 */
public record OffsetExplanation(
    long offset,
    Place place,
    Optional<Path> log,
    Optional<OffsetLookup> lookup,
    Optional<Found> record,
    OptionalInt leaderEpoch,
    Optional<AbortedTransaction> aborted,
    long stable,
    Optional<CorruptLogException> damage) {

  /** What is at an offset. */
  public enum Place {
    /** A record. */
    RECORD,
    /** A record for the broker and clients, which no reader gets as data. */
    CONTROL_RECORD,
    /** A batch that spans it but has no record for it: compaction removed that. */
    REMOVED_FROM_BATCH,
    /** Nothing, between two batches: compaction removed it, or it was lost. */
    GAP,
    /** Something that cannot be read. */
    DAMAGED,
    /** Nothing any more: it lies below the log start offset. */
    BELOW_START,
    /** Nothing yet: the log ends before it. */
    PAST_END
  }

  /**
   * The record at the offset.
   *
   * @param index in its batch, from 0
   * @param timestampMs its time
   * @param key its key, or null
   * @param value its value, or null
   */
  public record Found(int index, long timestampMs, ByteBuffer key, ByteBuffer value) {}

  /** Whether a reader of all records gets it. */
  public boolean isVisible() {
    return place == Place.RECORD;
  }

  /** Whether a reader of committed records gets it. */
  public boolean isCommitted() {
    return isVisible() && offset < stable && aborted.isEmpty();
  }

  /** Looks an offset up. */
  public static OffsetExplanation of(PartitionOnDisk log, long offset) throws IOException {
    long stable =
        OpenTransactions.of(log).stream()
            .mapToLong(OpenTransactions.Open::firstOffset)
            .findFirst()
            .orElse(log.end());
    if (offset < log.start() || offset >= log.end()) {
      return outside(offset, offset < log.start() ? Place.BELOW_START : Place.PAST_END, stable);
    }
    SegmentOnDisk segment = log.segments().get(log.floor(offset));
    OffsetLookup lookup = OffsetLookup.of(segment, offset);
    Contents contents = contents(segment, lookup, offset);
    return new OffsetExplanation(
        offset,
        contents.place,
        Optional.of(segment.path(SegmentFiles.LOG)),
        Optional.of(lookup),
        contents.record,
        epochOf(log, offset),
        lookup.batch().isPresent() && contents.record.isPresent()
            ? aborted(log, lookup.batch().get(), offset)
            : Optional.empty(),
        stable,
        contents.damage);
  }

  private static OffsetExplanation outside(long offset, Place place, long stable) {
    return new OffsetExplanation(
        offset,
        place,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        stable,
        Optional.empty());
  }

  /** What the batch says. */
  private record Contents(
      Place place, Optional<Found> record, Optional<CorruptLogException> damage) {
    static Contents without(Place place) {
      return new Contents(place, Optional.empty(), Optional.empty());
    }

    static Contents damaged(CorruptLogException damage) {
      return new Contents(Place.DAMAGED, Optional.empty(), Optional.of(damage));
    }
  }

  private static Contents contents(SegmentOnDisk segment, OffsetLookup lookup, long offset)
      throws IOException {
    if (lookup.damage().isPresent()) {
      return Contents.damaged(lookup.damage().get());
    }
    if (lookup.batch().isEmpty() || lookup.batch().get().baseOffset() > offset) {
      return Contents.without(Place.GAP);
    }
    try (DiskFile log = segment.openLog();
        KafkaCodecs codecs = KafkaCodecs.create()) {
      BatchWalk walk = BatchWalk.headers(log, lookup.position(), segment.sizeBytes());
      walk.next();
      return inBatch(walk.soundBatch(), new RecordCursor(codecs), offset);
    } catch (CorruptLogException damage) {
      return Contents.damaged(damage);
    } catch (InvalidBatchException malformed) {
      return Contents.damaged(
          new CorruptLogException(
              segment.path(SegmentFiles.LOG), lookup.position(), malformed.getMessage()));
    }
  }

  private static Contents inBatch(RecordBatch batch, RecordCursor cursor, long offset) {
    cursor.open(batch, UnpackLimits.DEFAULT);
    while (cursor.next()) {
      if (cursor.offset() == offset) {
        Found found =
            new Found(cursor.index(), cursor.timestamp(), copy(cursor.key()), copy(cursor.value()));
        Place place = batch.isControl() ? Place.CONTROL_RECORD : Place.RECORD;
        return new Contents(place, Optional.of(found), Optional.empty());
      }
    }
    return Contents.without(Place.REMOVED_FROM_BATCH);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return bytes == null ? null : ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }

  private static OptionalInt epochOf(PartitionOnDisk log, long offset) throws IOException {
    return new LeaderEpochCheckpoint(log.disk(), log.directory())
        .read().stream()
            .filter(entry -> entry.startOffset() <= offset)
            .mapToInt(EpochEntry::epoch)
            .max();
  }

  /** The marker of an aborted transaction lies in this segment or a later one. */
  private static Optional<AbortedTransaction> aborted(
      PartitionOnDisk log, RecordBatch batch, long offset) throws IOException {
    if (!batch.isTransactional() || batch.isControl()) {
      return Optional.empty();
    }
    for (int i = log.floor(offset); i < log.segments().size(); i++) {
      Path index = log.segments().get(i).path(SegmentFiles.TXN_INDEX);
      try (DiskFile file = log.disk().openReadOnly(index)) {
        TxnIndexWalk walk = new TxnIndexWalk(file);
        while (walk.next()) {
          AbortedTransaction transaction = walk.transaction();
          if (transaction.producerId() == batch.producerId()
              && transaction.firstOffset() <= offset
              && offset <= transaction.lastOffset()) {
            return Optional.of(transaction);
          }
        }
      } catch (NoSuchFileException nothingAborted) {
        // A segment without an aborted transaction has no such file.
      }
    }
    return Optional.empty();
  }
}
