package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.Optional;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData.PartitionResult;
import org.apache.kafka.common.message.ElectLeadersResponseData.ReplicaElectionResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.ElectLeadersRequest;

/** Elects nobody: the only replica of each partition leads it, and is the preferred one. */
final class ElectLeadersHandler implements RequestHandler {
  private final Topics topics;

  ElectLeadersHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    ElectLeadersRequestData asked = request.body(ElectLeadersRequest.class).data();
    if (asked.electionType() != ElectionType.PREFERRED.value
        && asked.electionType() != ElectionType.UNCLEAN.value) {
      answer.fail(new InvalidRequestException("Unknown election type " + asked.electionType()));
    } else {
      answer.complete(asked.topicPartitions() == null ? ofAll() : ofThose(asked));
    }
  }

  /** Partitions that need no election are left out when nobody has named them. */
  private ElectLeadersResponseData ofAll() {
    ElectLeadersResponseData body = new ElectLeadersResponseData();
    topics
        .all()
        .forEach(
            topic ->
                body.replicaElectionResults()
                    .add(new ReplicaElectionResult().setTopic(topic.name())));
    return body;
  }

  private ElectLeadersResponseData ofThose(ElectLeadersRequestData asked) {
    ElectLeadersResponseData body = new ElectLeadersResponseData();
    for (TopicPartitions named : asked.topicPartitions()) {
      ReplicaElectionResult result = new ReplicaElectionResult().setTopic(named.topic());
      body.replicaElectionResults().add(result);
      Optional<Topic> topic = topics.find(named.topic());
      for (int index : named.partitions()) {
        ApiError error = elect(named.topic(), topic, index);
        result
            .partitionResult()
            .add(
                new PartitionResult()
                    .setPartitionId(index)
                    .setErrorCode(error.error().code())
                    .setErrorMessage(error.message()));
      }
    }
    return body;
  }

  private static ApiError elect(String name, Optional<Topic> topic, int index) {
    if (topic.isEmpty()) {
      return new ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION, "No such topic as " + name);
    }
    return topic.get().partition(index).isEmpty()
        ? new ApiError(
            Errors.UNKNOWN_TOPIC_OR_PARTITION, "No such partition as " + name + "-" + index)
        : new ApiError(Errors.ELECTION_NOT_NEEDED);
  }
}
