package io.tidelog.store;

import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.record.ControlType;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.AbortedTransaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What a client makes of one fetch: it leaves out what the aborted list tells it to. */
final class CommittedReader {
  private final Function<LogSlice, List<AbortedTransaction>> list;

  /**
   * What a client got.
   *
   * @param records by offset
   * @param next where its next fetch begins
   */
  record Got(Map<Long, String> records, long next) {}

  private CommittedReader(Function<LogSlice, List<AbortedTransaction>> list) {
    this.list = list;
  }

  static CommittedReader honest() {
    return new CommittedReader(LogSlice::aborted);
  }

  /** One that passes over no record. */
  static CommittedReader deaf() {
    return new CommittedReader(slice -> List.of());
  }

  Got fetch(PartitionLog log, long offset, int maxBytes, ReadUpTo upTo) throws IOException {
    LogSlice slice = log.read(offset, maxBytes, upTo);
    try {
      ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
      slice.read(bytes, 0);
      List<AbortedTransaction> aborted = new ArrayList<>(list.apply(slice));
      aborted.sort(Comparator.comparingLong(AbortedTransaction::firstOffset));
      return read(bytes.flip(), offset, aborted);
    } finally {
      slice.release();
    }
  }

  private static Got read(ByteBuffer bytes, long from, List<AbortedTransaction> aborted) {
    Map<Long, String> records = new HashMap<>();
    Set<Long> abortedNow = new HashSet<>();
    long next = from;
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      for (int at = 0; at < bytes.limit(); ) {
        RecordBatch batch = RecordBatch.at(bytes, at);
        while (!aborted.isEmpty() && aborted.get(0).firstOffset() <= batch.lastOffset()) {
          abortedNow.add(aborted.remove(0).producerId());
        }
        cursor.open(batch, UnpackLimits.DEFAULT);
        while (cursor.next()) {
          if (batch.isControl()) {
            if (ControlType.ofKey(cursor.key()) == ControlType.ABORT) {
              abortedNow.remove(batch.producerId());
            }
          } else if (cursor.offset() >= from
              && !(batch.isTransactional() && abortedNow.contains(batch.producerId()))) {
            records.put(
                cursor.offset(),
                cursor.hasValue()
                    ? StandardCharsets.UTF_8.decode(cursor.value()).toString()
                    : null);
          }
        }
        next = batch.nextOffset();
        at += batch.sizeBytes();
      }
    }
    return new Got(records, next);
  }
}
