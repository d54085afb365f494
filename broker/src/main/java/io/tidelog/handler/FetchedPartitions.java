package io.tidelog.handler;

import io.tidelog.log.ReadUpTo;
import io.tidelog.topic.Topics;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;

/**
 * The partitions that a client reads, in the order in which they get their share of an answer: for
 * one request, or from request to request of a session. Who uses them holds their monitor; only
 * {@link #alarm} and {@link #stopWaiting} need it not.
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

  /** Adds partitions, and changes what is asked of those that are here already. */
  void add(List<FetchTopic> topics) {
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

  /** Leaves partitions out from now on; those that are not here are ignored. */
  void remove(List<ForgottenTopic> topics) {
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

  int count() {
    return byKey.size();
  }

  Collection<FetchedPartition> all() {
    return byKey.values();
  }

  /**
   * For a new request: finds out where the partitions are.
   *
   * @param next which offset bounds the request's reads
   */
  void locate(Topics topics, ReadUpTo next) {
    boolean isOtherBound = bound != next;
    bound = next;
    for (FetchedPartition partition : byKey.values()) {
      partition.locate(topics);
      if (isOtherBound) {
        partition.lookAgain();
      }
    }
  }

  /** This one got records: the others go first in the next answer. */
  void moveToEnd(FetchedPartition served) {
    byKey.remove(served.key());
    byKey.put(served.key(), served);
  }

  /**
   * A fetch hears from now on of the moves of the logs that are watched. One that did so before is
   * sent home, and this one too if no log is watched any more.
   */
  void await(FetchWait fetch) {
    FetchWait before = waiting.getAndSet(fetch);
    if (before != null) {
      before.hurry();
    }
    if (isReleased) {
      fetch.hurry();
    }
  }

  /** Whether logs may still be watched. */
  boolean isWatching() {
    return !isReleased;
  }

  /** This fetch does not wait any more. */
  void stopWaiting(FetchWait fetch) {
    waiting.compareAndSet(fetch, null);
  }

  /** Watches no log from now on; a fetch that waits is sent home. */
  void release() {
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
