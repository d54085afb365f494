package io.tidelog.bench.wire;

import io.tidelog.bench.server.RunningServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ListOffsetsRequest;

/** Where partitions end: what makes sure that records that were acknowledged are there. */
public final class EndOffsets {
  private static final short VERSION = 7;
  private static final long TRY_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(300);

  private EndOffsets() {}

  /** All end offsets added up. */
  public static long sum(Topic topic) throws IOException {
    try (RawConnection connection = RawConnection.to(topic.port())) {
      return sum(connection, topic);
    }
  }

  /**
   * Nothing if so many records were added.
   *
   * @param before the sum before
   * @throws RefusedException if there are more or fewer
   */
  public static void requireAdded(Topic topic, long before, long records) throws IOException {
    long after = sum(topic);
    if (after - before != records) {
      throw new RefusedException(
          records + " records were acknowledged, but the log has grown by " + (after - before));
    }
  }

  /** Waits until every partition is served. */
  static void awaitServed(Topic topic) throws IOException {
    long deadline = System.nanoTime() + GIVE_UP_NS;
    while (true) {
      try {
        sum(topic);
        return;
      } catch (RefusedException notYet) {
        waitForNextTry(deadline, notYet);
      }
    }
  }

  /**
   * Waits until a server that was just started serves every record of every partition.
   *
   * @param records what the end offsets must add up to
   * @throws IOException if the server has ended, or they never do
   */
  public static void awaitAll(RunningServer server, Topic topic, long records) throws IOException {
    long deadline = System.nanoTime() + GIVE_UP_NS;
    while (true) {
      try {
        requireAdded(topic, 0, records);
        return;
      } catch (IOException notYet) {
        server.requireAlive();
        waitForNextTry(deadline, notYet);
      }
    }
  }

  private static void waitForNextTry(long deadline, IOException notYet) throws IOException {
    if (System.nanoTime() > deadline) {
      throw notYet;
    }
    LockSupport.parkNanos(TRY_EVERY_NS);
  }

  private static long sum(RawConnection connection, Topic topic) throws IOException {
    List<ListOffsetsPartition> partitions = new ArrayList<>();
    for (int i = 0; i < topic.partitions(); i++) {
      partitions.add(
          new ListOffsetsPartition()
              .setPartitionIndex(i)
              .setTimestamp(ListOffsetsRequest.LATEST_TIMESTAMP));
    }
    ListOffsetsRequestData request =
        new ListOffsetsRequestData()
            .setReplicaId(ListOffsetsRequest.CONSUMER_REPLICA_ID)
            .setTopics(
                List.of(new ListOffsetsTopic().setName(topic.name()).setPartitions(partitions)));
    long sum = 0;
    int counted = 0;
    ListOffsetsResponseData answer =
        new ListOffsetsResponseData(
            connection.ask(ApiKeys.LIST_OFFSETS, VERSION, request), VERSION);
    for (ListOffsetsTopicResponse each : answer.topics()) {
      for (ListOffsetsPartitionResponse partition : each.partitions()) {
        RefusedException.throwIfError("ListOffsets", partition.errorCode(), null);
        sum += partition.offset();
        counted++;
      }
    }
    if (counted != topic.partitions()) {
      throw new RefusedException(
          counted + " partitions were answered, expected " + topic.partitions());
    }
    return sum;
  }
}
