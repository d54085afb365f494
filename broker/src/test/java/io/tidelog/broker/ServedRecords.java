package io.tidelog.broker;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.FetchResponse;

/**
 * What a consumer gets of a partition's records, from its start to its end, who goes on behind what
 * cannot be read.
 *
 * @param start first offset
 * @param end next offset
 * @param all each record by its offset
 * @param committed the same for a reader of committed records
 * @param unreadable offsets at which the broker answered that they are damaged
 */
record ServedRecords(
    long start,
    long end,
    Map<Long, String> all,
    Map<Long, String> committed,
    Set<Long> unreadable) {

  static ServedRecords of(TestBroker broker, Topic topic) throws IOException {
    try (DataClient client = broker.dataClient().waiting(0, 0);
        DataClient committed = broker.dataClient().readCommitted().waiting(0, 0)) {
      long start = client.listOffsets(topic, 0, -2).offset();
      long end = client.listOffsets(topic, 0, -1).offset();
      long stable = committed.listOffsets(topic, 0, -1).offset();
      Set<Long> unreadable = new TreeSet<>();
      return new ServedRecords(
          start,
          end,
          read(client, topic, start, end, unreadable),
          read(committed, topic, start, stable, unreadable),
          unreadable);
    }
  }

  private static Map<Long, String> read(
      DataClient client, Topic topic, long start, long end, Set<Long> unreadable)
      throws IOException {
    Map<Long, String> records = new TreeMap<>();
    long offset = start;
    while (offset < end) {
      PartitionData answer = client.fetch(topic, 0, offset);
      Errors error = Errors.forCode(answer.errorCode());
      if (error == Errors.CORRUPT_MESSAGE) {
        unreadable.add(offset++);
        continue;
      }
      if (error != Errors.NONE) {
        throw new AssertionError("%s-0 at %d: %s".formatted(topic.name(), offset, error));
      }
      long next = take(answer, offset, records);
      if (next <= offset) {
        return records; // nothing follows: a gap up to the end
      }
      offset = next;
    }
    return records;
  }

  /** As a consumer of Kafka's does, by the list of aborted transactions. @return what comes next */
  private static long take(PartitionData answer, long from, Map<Long, String> records) {
    PriorityQueue<AbortedTransaction> begin =
        new PriorityQueue<>((a, b) -> Long.compare(a.firstOffset(), b.firstOffset()));
    Optional.ofNullable(answer.abortedTransactions()).ifPresent(begin::addAll);
    Set<Long> aborting = new HashSet<>();
    long next = from;
    for (RecordBatch batch : FetchResponse.recordsOrFail(answer).batches()) {
      batch.ensureValid();
      while (!begin.isEmpty() && begin.peek().firstOffset() <= batch.lastOffset()) {
        aborting.add(begin.poll().producerId());
      }
      if (batch.isControlBatch()) {
        aborting.remove(batch.producerId());
      } else if (!batch.isTransactional() || !aborting.contains(batch.producerId())) {
        for (Record record : batch) {
          if (record.offset() >= from) {
            records.put(record.offset(), line(record));
          }
        }
      }
      next = batch.nextOffset();
    }
    return next;
  }

  private static String line(Record record) {
    return record.timestamp() + " " + text(record.key()) + " " + text(record.value());
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  static List<String> topics() {
    return List.of("plain", "compacted", "deleted", "idempotent", "transactional");
  }
}
