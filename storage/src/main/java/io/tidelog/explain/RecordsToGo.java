package io.tidelog.explain;

import io.tidelog.compaction.KeyOffsets;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import io.tidelog.segment.TxnIndexWalk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the records that a run of compaction would take away now, by the rules that compaction
 * goes by: the keys of the dirty part are read first, then all segments up to its end. For one
 * thread.
 */
final class RecordsToGo {
  private static final KeyOffsets.Room ROOM = new KeyOffsets.Room(128L << 20, 0.9);

  private final Range range;
  private final long nowMs;
  private final Map<Long, List<AbortedTransaction>> aborted = new HashMap<>();
  private final KeyOffsets keys = new KeyOffsets();
  private boolean isComplete = true;
  private DamagedStretch damage;

  /**
   * What a run would read.
   *
   * @param segments that it would copy
   * @param firstDirty where it begins to read keys
   * @param upTo the offset after the last one
   */
  record Range(List<SegmentOnDisk> segments, long firstDirty, long upTo) {}

  /**
   * What lies in a segment.
   *
   * @param records data records
   * @param goes of these a run would take away
   * @param tombstones of those that it would keep
   * @param undated of these and of the markers: in batches without a delete horizon yet
   * @param markers of transactions
   * @param firstHorizonMs the earliest delete horizon of what is kept, {@link #NO_TIME} if none has
   * @param lastHorizonMs the latest one
   */
  record Count(
      long records,
      long goes,
      long tombstones,
      long undated,
      long markers,
      long firstHorizonMs,
      long lastHorizonMs) {
    static final long NO_TIME = -1;
  }

  /** What is done with each sound batch. */
  private interface Visitor {
    void visit(RecordBatch batch, RecordCursor records) throws CorruptLogException;
  }

  private RecordsToGo(Range range, long nowMs) {
    this.range = range;
    this.nowMs = nowMs;
  }

  /** Reads the keys of the dirty part. */
  static RecordsToGo of(PartitionOnDisk log, Range range, long nowMs) throws IOException {
    RecordsToGo records = new RecordsToGo(range, nowMs);
    for (SegmentOnDisk segment : log.segments()) {
      records.readAborted(log, segment);
    }
    records.keys.clear(ROOM, Math.max(0, range.upTo - range.firstDirty));
    for (SegmentOnDisk segment : range.segments) {
      records.walk(segment, records::noteKeys);
    }
    return records;
  }

  private void readAborted(PartitionOnDisk log, SegmentOnDisk segment) throws IOException {
    try (DiskFile file = log.disk().openReadOnly(segment.path(SegmentFiles.TXN_INDEX))) {
      TxnIndexWalk walk = new TxnIndexWalk(file);
      while (walk.next()) {
        AbortedTransaction found = walk.transaction();
        aborted.computeIfAbsent(found.producerId(), id -> new ArrayList<>()).add(found);
      }
    } catch (NoSuchFileException nothingAborted) {
      // A segment without an aborted transaction has no such file.
    }
  }

  private boolean isAborted(RecordBatch batch) {
    return batch.isTransactional()
        && aborted.getOrDefault(batch.producerId(), List.of()).stream()
            .anyMatch(
                transaction ->
                    transaction.firstOffset() <= batch.lastOffset()
                        && batch.lastOffset() <= transaction.lastOffset());
  }

  /** Whether there was room for all keys; if not, more records may go than are counted. */
  boolean isComplete() {
    return isComplete;
  }

  /** The first damage that a run would meet; null if there is none. */
  DamagedStretch damage() {
    return damage;
  }

  private void walk(SegmentOnDisk segment, Visitor visitor) throws IOException {
    try (DiskFile file = segment.openLog();
        KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor records = new RecordCursor(codecs);
      LogPart all = new LogPart(0, segment.sizeBytes(), segment.baseOffset(), LogPart.OPEN);
      SoundWalk walk =
          SoundWalk.over(file, new SoundWalk.Reading(all, SoundWalk.Trust.NONE, this::met));
      while (walk.next()) {
        try {
          visitor.visit(walk.soundBatch(), records);
        } catch (InvalidBatchException malformed) {
          throw new CorruptLogException(file.path(), walk.position(), malformed.getMessage());
        }
      }
    }
  }

  private void met(DamagedStretch stretch) {
    damage = damage == null ? stretch : damage;
  }

  private void noteKeys(RecordBatch batch, RecordCursor records) {
    if (batch.isControl() || batch.lastOffset() < range.firstDirty || isAborted(batch)) {
      return;
    }
    records.open(batch, UnpackLimits.DEFAULT);
    while (records.next()) {
      if (records.hasKey()
          && records.offset() >= range.firstDirty
          && records.offset() < range.upTo) {
        isComplete &= !keys.isFull();
        if (!keys.isFull()) {
          keys.put(keyOf(records), records.keySizeBytes(), records.offset());
        }
      }
    }
  }

  private static byte[] keyOf(RecordCursor records) {
    byte[] key = new byte[records.keySizeBytes()];
    records.copyKeyTo(key);
    return key;
  }

  /** Counts what lies in one of the segments. */
  Count in(SegmentOnDisk segment) throws IOException {
    Counting counting = new Counting();
    walk(segment, counting::add);
    return counting.result();
  }

  /** Counts one segment. */
  private final class Counting {
    private long all;
    private long goes;
    private long tombstones;
    private long undated;
    private long markers;
    private long firstHorizonMs = Long.MAX_VALUE;
    private long lastHorizonMs = Count.NO_TIME;

    void add(RecordBatch batch, RecordCursor records) {
      if (batch.isControl()) {
        markers += batch.recordCount();
        date(batch, batch.recordCount());
        return;
      }
      if (isAborted(batch)) {
        all += batch.recordCount();
        goes += batch.recordCount();
        return;
      }
      records.open(batch, UnpackLimits.DEFAULT);
      while (records.next()) {
        all++;
        if (goes(batch, records)) {
          goes++;
        } else if (!records.hasValue()) {
          tombstones++;
          date(batch, 1);
        }
      }
    }

    private boolean goes(RecordBatch batch, RecordCursor records) {
      boolean isPast = batch.hasDeleteHorizon() && batch.baseTimestamp() <= nowMs;
      return !records.hasKey()
          || (!records.hasValue() && isPast)
          || records.offset() < keys.get(keyOf(records), records.keySizeBytes());
    }

    private void date(RecordBatch batch, int count) {
      if (batch.hasDeleteHorizon()) {
        firstHorizonMs = Math.min(firstHorizonMs, batch.baseTimestamp());
        lastHorizonMs = Math.max(lastHorizonMs, batch.baseTimestamp());
      } else {
        undated += count;
      }
    }

    Count result() {
      return new Count(
          all,
          goes,
          tombstones,
          undated,
          markers,
          lastHorizonMs == Count.NO_TIME ? Count.NO_TIME : firstHorizonMs,
          lastHorizonMs);
    }
  }
}
