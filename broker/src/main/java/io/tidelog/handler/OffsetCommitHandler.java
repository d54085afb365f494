package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;

/**
 * OffsetCommit: what exists goes to the coordinator under both the name and the id of its topic, so
 * that the offset is known to belong to this topic and not to a later one of the same name. What
 * does not exist gets UNKNOWN_TOPIC_OR_PARTITION, or UNKNOWN_TOPIC_ID if it was asked for by id,
 * and keeps nothing else from being committed.
 */
final class OffsetCommitHandler implements RequestHandler {
  private final Groups groups;
  private final Topics topics;

  OffsetCommitHandler(Groups groups, Topics topics) {
    this.groups = groups;
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    OffsetCommitRequestData asked = request.body(OffsetCommitRequest.class).data();
    boolean byId = OffsetCommitResponse.useTopicIds(request.version());
    OffsetCommitResponse.Builder response = OffsetCommitResponse.newBuilder(byId);
    List<OffsetCommitRequestTopic> known = new ArrayList<>();
    for (OffsetCommitRequestTopic wanted : asked.topics()) {
      Optional<Topic> topic = byId ? topics.find(wanted.topicId()) : topics.find(wanted.name());
      if (topic.isEmpty()) {
        response.addPartitions(
            wanted.topicId(),
            wanted.name(),
            wanted.partitions(),
            OffsetCommitRequestPartition::partitionIndex,
            byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
      } else {
        OffsetCommitRequestTopic existing = existing(wanted, topic.get(), response);
        if (!existing.partitions().isEmpty()) {
          known.add(existing);
        }
      }
    }
    if (known.isEmpty()) {
      answer.complete(response.build());
      return;
    }
    LaterAnswer.to(answer)
        .with(
            groups.commitOffsets(request, asked.duplicate().setTopics(known)),
            committed -> response.merge(committed).build().data());
  }

  private static OffsetCommitRequestTopic existing(
      OffsetCommitRequestTopic wanted, Topic topic, OffsetCommitResponse.Builder response) {
    OffsetCommitRequestTopic existing =
        new OffsetCommitRequestTopic().setTopicId(topic.id()).setName(topic.name());
    for (OffsetCommitRequestPartition partition : wanted.partitions()) {
      if (topic.partition(partition.partitionIndex()).isPresent()) {
        existing.partitions().add(partition);
      } else {
        response.addPartition(
            topic.id(),
            topic.name(),
            partition.partitionIndex(),
            Errors.UNKNOWN_TOPIC_OR_PARTITION);
      }
    }
    return existing;
  }
}
