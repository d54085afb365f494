package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.Optional;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetDeleteRequest;
import org.apache.kafka.common.requests.OffsetDeleteResponse;

/**
 * OffsetDelete: partitions that do not exist get UNKNOWN_TOPIC_OR_PARTITION, the rest the
 * coordinator's answer.
 */
final class OffsetDeleteHandler implements RequestHandler {
  private final Groups groups;
  private final Topics topics;

  OffsetDeleteHandler(Groups groups, Topics topics) {
    this.groups = groups;
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    OffsetDeleteRequestData asked = request.body(OffsetDeleteRequest.class).data();
    OffsetDeleteResponse.Builder response = new OffsetDeleteResponse.Builder();
    OffsetDeleteRequestTopicCollection known = new OffsetDeleteRequestTopicCollection();
    for (OffsetDeleteRequestTopic wanted : asked.topics()) {
      OffsetDeleteRequestTopic existing = existing(wanted, response);
      if (!existing.partitions().isEmpty()) {
        known.add(existing);
      }
    }
    LaterAnswer.to(answer)
        .with(
            groups.deleteOffsets(request, asked.duplicate().setTopics(known)),
            deleted -> response.merge(deleted).build().data());
  }

  private OffsetDeleteRequestTopic existing(
      OffsetDeleteRequestTopic wanted, OffsetDeleteResponse.Builder response) {
    Optional<Topic> topic = topics.find(wanted.name());
    OffsetDeleteRequestTopic existing = new OffsetDeleteRequestTopic().setName(wanted.name());
    for (OffsetDeleteRequestPartition partition : wanted.partitions()) {
      int index = partition.partitionIndex();
      if (topic.flatMap(found -> found.partition(index)).isPresent()) {
        existing.partitions().add(partition);
      } else {
        response.addPartition(wanted.name(), index, Errors.UNKNOWN_TOPIC_OR_PARTITION);
      }
    }
    return existing;
  }
}
