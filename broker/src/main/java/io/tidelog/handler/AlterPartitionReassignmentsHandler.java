package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignableTopic;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignablePartitionResponse;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignableTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterPartitionReassignmentsRequest;
import org.apache.kafka.common.requests.ApiError;

/** Moves no partition: the only place for each is this broker, where it is already. */
final class AlterPartitionReassignmentsHandler implements RequestHandler {
  private final Topics topics;

  AlterPartitionReassignmentsHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    AlterPartitionReassignmentsRequestData asked =
        request.body(AlterPartitionReassignmentsRequest.class).data();
    AlterPartitionReassignmentsResponseData body =
        new AlterPartitionReassignmentsResponseData()
            .setAllowReplicationFactorChange(asked.allowReplicationFactorChange());
    for (ReassignableTopic topic : asked.topics()) {
      ReassignableTopicResponse result = new ReassignableTopicResponse().setName(topic.name());
      body.responses().add(result);
      for (ReassignablePartition partition : topic.partitions()) {
        ApiError error = reassign(topic.name(), partition);
        result
            .partitions()
            .add(
                new ReassignablePartitionResponse()
                    .setPartitionIndex(partition.partitionIndex())
                    .setErrorCode(error.error().code())
                    .setErrorMessage(error.message()));
      }
    }
    answer.complete(body);
  }

  private ApiError reassign(String topic, ReassignablePartition wanted) {
    try {
      checkKnown(topic, wanted.partitionIndex());
      if (wanted.replicas() == null) {
        throw new NoReassignmentInProgressException(Errors.NO_REASSIGNMENT_IN_PROGRESS.message());
      }
      checkReplicas(wanted.replicas());
      return ApiError.NONE;
    } catch (ApiException refused) {
      return ApiError.fromThrowable(refused);
    }
  }

  private void checkKnown(String name, int index) {
    Topic topic =
        topics
            .find(name)
            .orElseThrow(
                () ->
                    new UnknownTopicOrPartitionException(
                        "Unable to find a topic named " + name + "."));
    if (topic.partition(index).isEmpty()) {
      throw new UnknownTopicOrPartitionException(
          "Unable to find partition " + name + ":" + index + ".");
    }
  }

  private void checkReplicas(List<Integer> replicas) {
    if (replicas.isEmpty()) {
      throw new InvalidReplicaAssignmentException(
          "The manual partition assignment includes an empty replica list.");
    }
    Set<Integer> seen = new HashSet<>();
    for (int broker : replicas.stream().sorted().toList()) {
      if (broker != topics.node().nodeId()) {
        throw new InvalidReplicaAssignmentException(
            "The manual partition assignment includes broker "
                + broker
                + ", but no such broker is registered.");
      }
      if (!seen.add(broker)) {
        throw new InvalidReplicaAssignmentException(
            "The manual partition assignment includes the broker " + broker + " more than once.");
      }
    }
  }
}
