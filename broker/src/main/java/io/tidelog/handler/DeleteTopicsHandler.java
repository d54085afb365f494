package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DeleteTopicsRequest;

/**
 * Deletes topics, each for itself, by name or by id. When it answers they are out of service, and
 * their names free.
 */
public final class DeleteTopicsHandler implements RequestHandler {
  private static final short FIRST_VERSION_WITH_DELETION_DISABLED = 3;

  private final Topics topics;

  public DeleteTopicsHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    if (!topics.settings().deletesTopics()) {
      answer.fail(
          request.version() < FIRST_VERSION_WITH_DELETION_DISABLED
              ? new InvalidRequestException("delete.topic.enable is false on this broker.")
              : new TopicDeletionDisabledException("delete.topic.enable is false on this broker."));
      return;
    }
    List<DeletableTopicResult> refused = new ArrayList<>();
    List<DeletableTopicResult> accepted = new ArrayList<>();
    for (DeletableTopicResult named : named(request.body(DeleteTopicsRequest.class).data())) {
      (named.errorCode() == Errors.NONE.code() ? accepted : refused).add(named);
    }
    delete(accepted, refused, answer);
  }

  private void delete(
      List<DeletableTopicResult> accepted, List<DeletableTopicResult> refused, Answer answer) {
    List<Uuid> ids = accepted.stream().map(DeletableTopicResult::topicId).toList();
    LaterAnswer.to(answer)
        .with(
            topics.admin().delete(ids),
            outcomes -> {
              DeleteTopicsResponseData body = new DeleteTopicsResponseData();
              for (int i = 0; i < accepted.size(); i++) {
                body.responses().add(with(accepted.get(i), Refusal.of(outcomes.get(i))));
              }
              refused.forEach(body.responses()::add);
              return body;
            });
  }

  /** One result for each topic that the request names, found or not, each topic once. */
  private List<DeletableTopicResult> named(DeleteTopicsRequestData asked) {
    List<DeletableTopicResult> results = new ArrayList<>();
    List<DeleteTopicState> states = new ArrayList<>(asked.topics());
    asked.topicNames().forEach(name -> states.add(new DeleteTopicState().setName(name)));
    Unique<DeleteTopicState, DeleteTopicState> unique = Unique.of(states, state -> state);
    unique.duplicates().forEach(state -> results.add(duplicate(state)));
    unique.parts().keySet().forEach(state -> results.add(find(state)));
    return markSecondNames(results);
  }

  private static DeletableTopicResult duplicate(DeleteTopicState state) {
    return invalid(state, state.name() == null ? "Duplicate topic id." : "Duplicate topic name.");
  }

  private DeletableTopicResult find(DeleteTopicState state) {
    boolean hasId = !state.topicId().equals(Uuid.ZERO_UUID);
    if (state.name() == null) {
      return hasId
          ? found(state, topics.find(state.topicId()), Errors.UNKNOWN_TOPIC_ID)
          : invalid(state, "Neither topic name nor id were specified.");
    }
    return hasId
        ? invalid(state, "You may not specify both topic name and topic id.")
        : found(state, topics.find(state.name()), Errors.UNKNOWN_TOPIC_OR_PARTITION);
  }

  private static DeletableTopicResult found(
      DeleteTopicState state, Optional<Topic> topic, Errors ifMissing) {
    return topic
        .map(known -> new DeletableTopicResult().setName(known.name()).setTopicId(known.id()))
        .orElseGet(() -> with(blank(state), new ApiError(ifMissing)));
  }

  /** A topic that is named by name and by id is refused the second time. */
  private static List<DeletableTopicResult> markSecondNames(List<DeletableTopicResult> results) {
    Set<Uuid> seen = new HashSet<>();
    for (DeletableTopicResult result : results) {
      boolean isFound = result.errorCode() == Errors.NONE.code();
      if (isFound && !seen.add(result.topicId())) {
        with(
            result,
            new ApiError(
                Errors.INVALID_REQUEST,
                "The provided topic name maps to an ID that was already supplied."));
      }
    }
    return results;
  }

  private static DeletableTopicResult invalid(DeleteTopicState state, String why) {
    return with(blank(state), new ApiError(Errors.INVALID_REQUEST, why));
  }

  private static DeletableTopicResult blank(DeleteTopicState state) {
    return new DeletableTopicResult().setName(state.name()).setTopicId(state.topicId());
  }

  private static DeletableTopicResult with(DeletableTopicResult result, ApiError error) {
    return result.setErrorCode(error.error().code()).setErrorMessage(error.message());
  }
}
