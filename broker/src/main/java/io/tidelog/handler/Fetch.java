package io.tidelog.handler;

import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.requests.FetchRequest;

/** What a Fetch request asks for, with its partitions looked up. */
final class Fetch {
  private static final byte READ_COMMITTED = 1;

  private final List<FromTopic> topics = new ArrayList<>();
  private final FetchRequestData asked;
  private final short version;
  private final int maxBytes;
  private final EngineErrors errors;

  /**
   * @param maxBytes the broker's own limit for one answer
   */
  Fetch(FetchRequest asked, int maxBytes, EngineErrors errors) {
    this.asked = asked.data();
    this.version = asked.version();
    this.maxBytes = Math.min(asked.maxBytes(), maxBytes);
    this.errors = errors;
  }

  /** A topic of the request and what is wanted from it, in the request's order. */
  record FromTopic(FetchTopic asked, List<Part> parts) {}

  /** A partition of the request. */
  record Part(FetchPartition asked, Found found) {}

  void addTopic(FetchTopic topic) {
    topics.add(new FromTopic(topic, new ArrayList<>(topic.partitions().size())));
  }

  /** Adds a partition to the topic that was added last. */
  void addPartition(FetchPartition partition, Found found) {
    topics.get(topics.size() - 1).parts().add(new Part(partition, found));
  }

  List<FromTopic> topics() {
    return topics;
  }

  /** The logs to watch for more. */
  List<PartitionLog> logs() {
    List<PartitionLog> logs = new ArrayList<>();
    for (FromTopic topic : topics) {
      for (Part part : topic.parts()) {
        if (part.found().isUsable()) {
          logs.add(part.found().log());
        }
      }
    }
    return logs;
  }

  /** Most bytes of records in the answer; 0 or less still allows the first batch. */
  int maxBytes() {
    return maxBytes;
  }

  /** The answer waits until there are this many bytes of records. */
  int minBytes() {
    return Math.min(asked.minBytes(), maxBytes);
  }

  int maxWaitMs() {
    return asked.maxWaitMs();
  }

  boolean isReadCommitted() {
    return asked.isolationLevel() == READ_COMMITTED;
  }

  ReadUpTo bound() {
    return isReadCommitted() ? ReadUpTo.LAST_STABLE_OFFSET : ReadUpTo.HIGH_WATERMARK;
  }

  short version() {
    return version;
  }

  EngineErrors errors() {
    return errors;
  }
}
