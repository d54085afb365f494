package io.tidelog.handler;

import io.tidelog.log.LogView;
import io.tidelog.log.OffsetAtTime;
import io.tidelog.log.ReadUpTo;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListOffsetsRequest;

/**
 * Tells offsets: where a log starts and ends, and which record is the first at or after a time.
 * Searches by time may read a disk, so they leave the event loop.
 */
public final class ListOffsetsHandler implements RequestHandler {
  private static final short FIRST_VERSION_WITH_LEADER_EPOCH = 4;

  private final Topics topics;
  private final EngineErrors errors;
  private final Executor diskWork;

  /**
   * @param diskWork runs searches that may read a disk
   */
  public ListOffsetsHandler(Topics topics, Executor diskWork) {
    this.topics = topics;
    this.errors = new EngineErrors(topics);
    this.diskWork = diskWork;
  }

  @Override
  public void handle(Request request, Answer answer) {
    ListOffsetsRequest asked = request.body(ListOffsetsRequest.class);
    Isolation.check(asked.data().isolationLevel());
    if (searches(asked.data())) {
      Background.answer(diskWork, answer, () -> answer.complete(respond(asked)));
    } else {
      answer.complete(respond(asked));
    }
  }

  private static boolean searches(ListOffsetsRequestData asked) {
    for (ListOffsetsTopic topic : asked.topics()) {
      for (ListOffsetsPartition partition : topic.partitions()) {
        if (partition.timestamp() >= 0
            || partition.timestamp() == ListOffsetsRequest.MAX_TIMESTAMP) {
          return true;
        }
      }
    }
    return false;
  }

  private ListOffsetsResponseData respond(ListOffsetsRequest asked) {
    ListOffsetsResponseData response = new ListOffsetsResponseData();
    Set<TopicPartition> told = new HashSet<>();
    for (ListOffsetsTopic topic : asked.data().topics()) {
      ListOffsetsTopicResponse answers = new ListOffsetsTopicResponse().setName(topic.name());
      response.topics().add(answers);
      for (ListOffsetsPartition partition : topic.partitions()) {
        TopicPartition name = new TopicPartition(topic.name(), partition.partitionIndex());
        if (!asked.duplicatePartitions().contains(name)) {
          answers.partitions().add(respond(asked, topic.name(), partition));
        } else if (told.add(name)) {
          answers.partitions().add(unknown(partition).setErrorCode(Errors.INVALID_REQUEST.code()));
        }
      }
    }
    return response;
  }

  private ListOffsetsPartitionResponse respond(
      ListOffsetsRequest asked, String topic, ListOffsetsPartition partition) {
    int index = partition.partitionIndex();
    ListOffsetsPartitionResponse response = unknown(partition);
    if (asked.version() < firstVersionWith(partition.timestamp())) {
      return response.setErrorCode(Errors.UNSUPPORTED_VERSION.code());
    }
    FoundPartition found =
        FoundPartition.named(topics, topic, index).checkEpoch(partition.currentLeaderEpoch());
    if (!found.isUsable()) {
      return response.setErrorCode(found.error().code());
    }
    try {
      OffsetAtTime answer = find(found, partition.timestamp(), bound(asked));
      response.setTimestamp(answer.timestampMs()).setOffset(answer.offset());
      if (asked.version() >= FIRST_VERSION_WITH_LEADER_EPOCH) {
        response.setLeaderEpoch(answer.leaderEpoch());
      }
      return response;
    } catch (IOException | RuntimeException thrown) {
      return response.setErrorCode(errors.of(thrown, found).code());
    }
  }

  private static ListOffsetsPartitionResponse unknown(ListOffsetsPartition partition) {
    return new ListOffsetsPartitionResponse()
        .setPartitionIndex(partition.partitionIndex())
        .setTimestamp(-1)
        .setOffset(-1);
  }

  /** Consumers see acknowledged records only; whoever looks as a replica sees all. */
  private static ReadUpTo bound(ListOffsetsRequest asked) {
    return asked.replicaId() == ListOffsetsRequest.CONSUMER_REPLICA_ID
        ? Isolation.bound(asked.data().isolationLevel())
        : ReadUpTo.LOG_END;
  }

  /** The version since which a time, or a number below 0 that stands for one, may be asked for. */
  private static int firstVersionWith(long timestamp) {
    if (timestamp >= 0) {
      return 0;
    }
    if (timestamp < ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP) {
      return Integer.MAX_VALUE;
    }
    return switch ((int) timestamp) {
      case (int) ListOffsetsRequest.MAX_TIMESTAMP -> 7;
      case (int) ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP -> 8;
      case (int) ListOffsetsRequest.LATEST_TIERED_TIMESTAMP -> 9;
      case (int) ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP -> 11;
      default -> 1;
    };
  }

  private static OffsetAtTime find(FoundPartition found, long timestamp, ReadUpTo bound)
      throws IOException {
    LogView view = found.log().view();
    if (timestamp >= 0) {
      return found.log().offsetAtTime(timestamp, bound);
    }
    return switch ((int) timestamp) {
      case (int) ListOffsetsRequest.LATEST_TIMESTAMP ->
          new OffsetAtTime(view.bound(bound), -1, found.partition().leaderEpoch());
      case (int) ListOffsetsRequest.EARLIEST_TIMESTAMP,
          (int) ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP ->
          new OffsetAtTime(view.start(), -1, found.log().epochAt(view.start()));
      case (int) ListOffsetsRequest.MAX_TIMESTAMP ->
          below(view.bound(bound), found.log().offsetOfMaxTimestamp());
      // Nothing of a log lies in other storage, or waits to be moved there.
      default -> OffsetAtTime.NONE;
    };
  }

  private static OffsetAtTime below(long bound, OffsetAtTime found) {
    return found.offset() < bound ? found : OffsetAtTime.NONE;
  }
}
