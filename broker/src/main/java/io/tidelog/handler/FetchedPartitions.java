package io.tidelog.handler;

import io.tidelog.log.ReadUpTo;
import io.tidelog.topic.Topics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;

/**
 * The partitions that a client reads, in the order in which they get their share of an answer: for
 * one request, or from request to request of a session, whose requests may come on different event
 * loops. From any thread; a single partition is touched only by whoever visits them, one at a time.
 */
final class FetchedPartitions {
  private final Map<FetchedPartition.Key, FetchedPartition> byKey = new LinkedHashMap<>();
  private final AtomicReference<FetchWait> waiting = new AtomicReference<>();
  private ReadUpTo bound = ReadUpTo.HIGH_WATERMARK;
  private boolean isReleased;

  /** Those that a request names. */
  static FetchedPartitions of(FetchRequestData asked) {
    FetchedPartitions partitions = new FetchedPartitions();
    partitions.add(asked.topics());
    return partitions;
  }

  /**
   * Adds partitions, changes what is asked of those that are here already, and leaves out from now
   * on those that the request forgets.
   */
  synchronized void change(FetchRequestData asked) {
    add(asked.topics());
    remove(asked.forgottenTopicsData());
  }

  private void add(List<FetchTopic> topics) {
    for (FetchTopic topic : topics) {
      for (FetchPartition asked : topic.partitions()) {
        FetchedPartition.Key key = key(topic.topic(), topic.topicId(), asked.partition());
        FetchedPartition known = byKey.get(key);
        if (known == null) {
          byKey.put(key, new FetchedPartition(key, asked, this::alarm));
        } else {
          known.ask(asked);
        }
      }
    }
  }

  private void remove(List<ForgottenTopic> topics) {
    for (ForgottenTopic topic : topics) {
      for (int index : topic.partitions()) {
        FetchedPartition known = byKey.remove(key(topic.topic(), topic.topicId(), index));
        if (known != null) {
          known.unwatch();
        }
      }
    }
  }

  private static FetchedPartition.Key key(String topic, Uuid topicId, int index) {
    return new FetchedPartition.Key(topic, topicId, index);
  }

  synchronized int count() {
    return byKey.size();
  }

  /**
   * For a new request: finds out where the partitions are.
   *
   * @param next which offset bounds the request's reads
   */
  synchronized void locate(Topics topics, ReadUpTo next) {
    boolean isOtherBound = bound != next;
    bound = next;
    for (FetchedPartition partition : byKey.values()) {
      partition.locate(topics);
      if (isOtherBound) {
        partition.lookAgain();
      }
    }
  }

  /** Visits every partition, in order. */
  synchronized void visit(Consumer<FetchedPartition> visitor) {
    byKey.values().forEach(visitor);
  }

  /** As {@link #visit}; the fetch that waits hears from now on when a log moves. */
  synchronized void visitAndWatch(Consumer<FetchedPartition> visitor) {
    for (FetchedPartition partition : byKey.values()) {
      if (!isReleased) {
        partition.watch();
      }
      visitor.accept(partition);
    }
  }

  /** The client is told this. Who got records stands back: the others go first next time. */
  synchronized void told(Map<FetchedPartition, PartitionData> answer) {
    answer.forEach(
        (partition, data) -> {
          partition.told(data);
          if (data.records() != null && data.records().sizeInBytes() > 0) {
            byKey.remove(partition.key());
            byKey.put(partition.key(), partition);
          }
        });
  }

  /**
   * A fetch hears from now on of the moves of the logs that are watched. One that did so before is
   * sent home, and this one too if no log is watched any more.
   */
  synchronized void await(FetchWait fetch) {
    FetchWait before = waiting.getAndSet(fetch);
    if (before != null) {
      before.hurry();
    }
    if (isReleased) {
      fetch.hurry();
    }
  }

  /** This fetch does not wait any more. */
  void stopWaiting(FetchWait fetch) {
    waiting.compareAndSet(fetch, null);
  }

  /** Watches no log from now on; a fetch that waits is sent home. */
  synchronized void release() {
    isReleased = true;
    byKey.values().forEach(FetchedPartition::unwatch);
    FetchWait fetch = waiting.get();
    if (fetch != null) {
      fetch.hurry();
    }
  }

  private void alarm() {
    FetchWait fetch = waiting.get();
    if (fetch != null) {
      fetch.logMoved();
    }
  }
}
