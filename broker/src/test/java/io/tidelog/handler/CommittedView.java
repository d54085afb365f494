package io.tidelog.handler;

import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.segment.AbortedTransaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/** What a consumer shows of a log, made of fetches as its client makes it. */
final class CommittedView {
  private CommittedView() {}

  /** Values by offset from an offset on, up to the last stable one, without what was aborted. */
  static NavigableMap<Long, String> committed(PartitionLog log, long from, int maxBytes)
      throws IOException {
    NavigableMap<Long, String> shown = new TreeMap<>();
    long next = from;
    for (long before = -1; next > before; ) {
      before = next;
      LogSlice slice = log.read(next, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
      PriorityQueue<AbortedTransaction> coming =
          new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
      coming.addAll(slice.aborted());
      Set<Long> aborting = new HashSet<>();
      for (RecordBatch batch : batches(slice)) {
        while (!coming.isEmpty() && coming.peek().firstOffset() <= batch.lastOffset()) {
          aborting.add(coming.poll().producerId());
        }
        show(batch, aborting, from, shown);
        next = batch.nextOffset();
      }
    }
    return shown;
  }

  private static void show(
      RecordBatch batch, Set<Long> aborting, long from, NavigableMap<Long, String> shown) {
    if (batch.isControlBatch()) {
      if (ControlRecordType.parse(batch.iterator().next().key()) == ControlRecordType.ABORT) {
        aborting.remove(batch.producerId());
      }
    } else if (!batch.isTransactional() || !aborting.contains(batch.producerId())) {
      for (Record record : batch) {
        if (record.offset() >= from) {
          shown.put(record.offset(), value(record));
        }
      }
    }
  }

  /** Values by offset of all records below the high watermark. */
  static NavigableMap<Long, String> all(PartitionLog log, long from) throws IOException {
    NavigableMap<Long, String> shown = new TreeMap<>();
    long next = from;
    for (long before = -1; next > before; ) {
      before = next;
      for (RecordBatch batch : batches(log.read(next, 1 << 20, ReadUpTo.HIGH_WATERMARK))) {
        if (!batch.isControlBatch()) {
          batch.forEach(record -> shown.put(record.offset(), value(record)));
        }
        next = batch.nextOffset();
      }
    }
    return shown;
  }

  private static List<RecordBatch> batches(LogSlice slice) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
    slice.read(bytes, 0);
    slice.release();
    List<RecordBatch> batches = new ArrayList<>();
    MemoryRecords.readableRecords(bytes.flip()).batches().forEach(batches::add);
    return batches;
  }

  private static String value(Record record) {
    return StandardCharsets.UTF_8.decode(record.value()).toString();
  }
}
