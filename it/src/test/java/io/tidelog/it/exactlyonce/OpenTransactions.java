package io.tidelog.it.exactlyonce;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Where the last stable offset is not the end. */
final class OpenTransactions {
  private OpenTransactions() {}

  /** Waits until every partition, internal ones too, is stable to its end. */
  static void assertNone(String bootstrap, Duration limit) throws Exception {
    long deadline = System.nanoTime() + limit.toNanos();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      Map<TopicPartition, OffsetSpec> latest = latestOfAll(admin);
      Map<TopicPartition, Long> ends = ends(admin, latest, IsolationLevel.READ_UNCOMMITTED);
      Map<TopicPartition, Long> stable = ends(admin, latest, IsolationLevel.READ_COMMITTED);
      while (!stable.equals(ends)) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("stable offsets " + stable + " did not reach the ends " + ends);
        }
        LockSupport.parkNanos(20_000_000);
        ends = ends(admin, latest, IsolationLevel.READ_UNCOMMITTED);
        stable = ends(admin, latest, IsolationLevel.READ_COMMITTED);
      }
    }
  }

  private static Map<TopicPartition, OffsetSpec> latestOfAll(Admin admin) throws Exception {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    ListTopicsOptions all = new ListTopicsOptions().listInternal(true);
    for (TopicDescription topic :
        admin.describeTopics(admin.listTopics(all).names().get()).allTopicNames().get().values()) {
      topic
          .partitions()
          .forEach(
              partition ->
                  latest.put(
                      new TopicPartition(topic.name(), partition.partition()),
                      OffsetSpec.latest()));
    }
    return latest;
  }

  private static Map<TopicPartition, Long> ends(
      Admin admin, Map<TopicPartition, OffsetSpec> latest, IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> ends = new HashMap<>();
    Map<TopicPartition, ListOffsetsResultInfo> found =
        admin.listOffsets(latest, new ListOffsetsOptions(isolation)).all().get();
    found.forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }
}
