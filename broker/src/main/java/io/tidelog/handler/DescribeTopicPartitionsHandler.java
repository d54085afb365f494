package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;

/**
 * Describes partitions page by page: topics by name, at most so many partitions at a time, with a
 * cursor that says where the next page begins.
 */
public final class DescribeTopicPartitionsHandler implements RequestHandler {
  /** Kafka's max.request.partition.size.limit. */
  private static final int MOST_PARTITIONS_PER_PAGE = 2000;

  private final Topics topics;

  public DescribeTopicPartitionsHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    DescribeTopicPartitionsRequestData asked =
        request.body(DescribeTopicPartitionsRequest.class).data();
    boolean asksForAll = asked.topics().isEmpty();
    TreeSet<String> names = new TreeSet<>();
    if (asksForAll) {
      topics.all().forEach(topic -> names.add(topic.name()));
    } else {
      asked.topics().stream().map(TopicRequest::name).forEach(names::add);
    }
    Start start = start(asked, names);
    Page page =
        new Page(Math.max(1, Math.min(asked.responsePartitionLimit(), MOST_PARTITIONS_PER_PAGE)));
    Iterator<String> rest = names.tailSet(start.topic, true).iterator();
    while (rest.hasNext() && page.answer.nextCursor() == null) {
      String name = rest.next();
      Optional<Topic> topic = topics.find(name);
      if (topic.isPresent()) {
        page.add(topic.get(), name.equals(start.topic) ? start.partition : 0);
      } else if (!asksForAll) {
        page.addMissing(name);
      }
    }
    answer.complete(page.answer);
  }

  /** Where the page begins. */
  private record Start(String topic, int partition) {}

  private static Start start(DescribeTopicPartitionsRequestData asked, Set<String> names) {
    if (asked.cursor() == null) {
      return new Start("", 0);
    }
    String topic = asked.cursor().topicName();
    if (!asked.topics().isEmpty() && !names.contains(topic)) {
      throw new InvalidRequestException(
          "The topics of the request do not contain the cursor's topic " + topic + ".");
    }
    if (asked.cursor().partitionIndex() < 0) {
      throw new InvalidRequestException(
          "The cursor's partition is " + asked.cursor().partitionIndex() + ", expected 0 or more.");
    }
    return new Start(topic, asked.cursor().partitionIndex());
  }

  /** One page as it fills. */
  private final class Page {
    private final DescribeTopicPartitionsResponseData answer =
        new DescribeTopicPartitionsResponseData();
    private int room;

    Page(int room) {
      this.room = room;
    }

    void add(Topic topic, int first) {
      if (room == 0) {
        answer.setNextCursor(cursor(topic.name(), 0));
        return;
      }
      int from = Math.min(first, topic.partitionCount());
      int end = from + Math.min(room, topic.partitionCount() - from);
      answer
          .topics()
          .add(
              new DescribeTopicPartitionsResponseTopic()
                  .setName(topic.name())
                  .setTopicId(topic.id())
                  .setIsInternal(topic.isInternal())
                  .setTopicAuthorizedOperations(AllOperations.ON_TOPIC)
                  .setPartitions(
                      topic.partitions().subList(from, end).stream().map(this::describe).toList()));
      room -= end - from;
      if (end < topic.partitionCount()) {
        answer.setNextCursor(cursor(topic.name(), end));
      }
    }

    void addMissing(String name) {
      if (room == 0) {
        answer.setNextCursor(cursor(name, 0));
        return;
      }
      answer
          .topics()
          .add(
              new DescribeTopicPartitionsResponseTopic()
                  .setName(name)
                  .setErrorCode(whyMissing(name).code())
                  .setTopicAuthorizedOperations(AllOperations.ON_TOPIC));
    }

    private DescribeTopicPartitionsResponsePartition describe(Partition partition) {
      int node = topics.node().nodeId();
      return new DescribeTopicPartitionsResponsePartition()
          .setPartitionIndex(partition.index())
          .setLeaderId(node)
          .setLeaderEpoch(partition.leaderEpoch())
          .setReplicaNodes(List.of(node))
          .setIsrNodes(List.of(node))
          .setEligibleLeaderReplicas(List.of())
          .setLastKnownElr(List.of());
    }
  }

  private static Cursor cursor(String topic, int partition) {
    return new Cursor().setTopicName(topic).setPartitionIndex(partition);
  }

  private static Errors whyMissing(String name) {
    try {
      org.apache.kafka.common.internals.Topic.validate(name);
      return Errors.UNKNOWN_TOPIC_OR_PARTITION;
    } catch (InvalidTopicException e) {
      return Errors.INVALID_TOPIC_EXCEPTION;
    }
  }
}
