package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.StreamsHeartbeat;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.CreatedTopic;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.Outcome;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.StreamsInvalidTopologyException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TopicInfo;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.Status;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.StreamsGroupDescribeRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateRequest;

/**
 * Groups of Kafka Streams (KIP-1071): StreamsGroupHeartbeat, StreamsGroupDescribe and
 * StreamsGroupTopologyDescriptionUpdate. What a group keeps between its steps goes into topics of
 * its own, which a heartbeat has created.
 */
final class StreamsGroupHandlers {
  private final Groups groups;
  private final Topics topics;

  StreamsGroupHandlers(Groups groups, Topics topics) {
    this.groups = groups;
    this.topics = topics;
  }

  RequestHandler heartbeat() {
    return this::beat;
  }

  RequestHandler description() {
    return this::describe;
  }

  RequestHandler topologyUpdate() {
    return (request, answer) ->
        LaterAnswer.to(answer)
            .with(
                groups.describeTopology(
                    request,
                    request.body(StreamsGroupTopologyDescriptionUpdateRequest.class).data()));
  }

  private void beat(Request request, Answer answer) {
    StreamsGroupHeartbeatRequestData asked =
        request.body(StreamsGroupHeartbeatRequest.class).data();
    try {
      checkTopics(asked);
    } catch (StreamsInvalidTopologyException refused) {
      answer.complete(
          new StreamsGroupHeartbeatResponseData()
              .setErrorCode(Errors.STREAMS_INVALID_TOPOLOGY.code())
              .setErrorMessage(refused.getMessage()));
      return;
    }
    LaterAnswer.to(answer)
        .with(groups.streamsHeartbeat(request, asked).thenCompose(this::withTopics));
  }

  private static void checkTopics(StreamsGroupHeartbeatRequestData asked) {
    if (asked.topology() != null) {
      List<String> names =
          asked.topology().subtopologies().stream()
              .flatMap(StreamsGroupHandlers::topicsOf)
              .distinct()
              .toList();
      refuse(
          names,
          Topic::isInternal,
          "Use of Kafka internal topics %s in a Kafka Streams topology is prohibited.");
      refuse(names, name -> !Topic.isValid(name), "Topic names %s are not valid topic names.");
    }
  }

  private static Stream<String> topicsOf(Subtopology part) {
    return Stream.of(
            part.sourceTopics().stream(),
            part.repartitionSinkTopics().stream(),
            part.repartitionSourceTopics().stream().map(TopicInfo::name),
            part.stateChangelogTopics().stream().map(TopicInfo::name))
        .flatMap(names -> names);
  }

  private static void refuse(List<String> names, Predicate<String> isBad, String sentence) {
    List<String> bad = names.stream().filter(isBad).toList();
    if (!bad.isEmpty()) {
      throw new StreamsInvalidTopologyException(sentence.formatted(String.join(",", bad)));
    }
  }

  /**
   * Creates what the group lacks; a member that waits for a topic is told what stands against it.
   */
  private CompletableFuture<StreamsGroupHeartbeatResponseData> withTopics(StreamsHeartbeat beat) {
    if (beat.missing().isEmpty()) {
      return CompletableFuture.completedFuture(beat.answer());
    }
    return topics
        .admin()
        .create(beat.missing(), Intent.CARRY_OUT)
        .handle(
            (outcomes, failure) ->
                withTroubles(
                    beat.answer(),
                    failure == null
                        ? troubles(beat.missing(), outcomes)
                        : List.of(failure.getMessage())));
  }

  private static List<String> troubles(
      List<NewTopic> wishes, List<Outcome<CreatedTopic>> outcomes) {
    List<String> troubles = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome<CreatedTopic> outcome = outcomes.get(i);
      if (outcome.isRefused() && !(outcome.error() instanceof TopicExistsException)) {
        troubles.add(wishes.get(i).name() + " (" + outcome.error().getMessage() + ")");
      }
    }
    return troubles;
  }

  private static StreamsGroupHeartbeatResponseData withTroubles(
      StreamsGroupHeartbeatResponseData answer, List<String> troubles) {
    if (!troubles.isEmpty() && answer.status() != null) {
      for (Status status : answer.status()) {
        if (status.statusCode()
            == StreamsGroupHeartbeatResponse.Status.MISSING_INTERNAL_TOPICS.code()) {
          status.setStatusDetail(
              status.statusDetail() + "; Creation failed: " + String.join(", ", troubles) + ".");
        }
      }
    }
    return answer;
  }

  private void describe(Request request, Answer answer) {
    StreamsGroupDescribeRequestData asked = request.body(StreamsGroupDescribeRequest.class).data();
    LaterAnswer.to(answer)
        .with(
            groups.describeStreams(request, asked),
            described -> {
              if (asked.includeAuthorizedOperations()) {
                described.stream()
                    .filter(group -> group.errorCode() == Errors.NONE.code())
                    .forEach(group -> group.setAuthorizedOperations(AllOperations.ON_GROUP));
              }
              return new StreamsGroupDescribeResponseData().setGroups(described);
            });
  }
}
