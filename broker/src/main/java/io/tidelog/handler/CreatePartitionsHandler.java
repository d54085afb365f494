package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.MorePartitions;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.Topics;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.CreatePartitionsRequest;

/** Adds partitions to topics, each topic for itself. Answers when they are usable. */
public final class CreatePartitionsHandler implements RequestHandler {
  private final Topics topics;

  public CreatePartitionsHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    CreatePartitionsRequestData asked = request.body(CreatePartitionsRequest.class).data();
    Unique<String, CreatePartitionsTopic> unique =
        Unique.of(asked.topics(), CreatePartitionsTopic::name);
    List<MorePartitions> wishes =
        unique.parts().values().stream().map(CreatePartitionsHandler::wish).toList();
    ApiError duplicate = new ApiError(Errors.INVALID_REQUEST, "Duplicate topic name.");
    LaterAnswer.to(answer)
        .with(
            topics.admin().grow(wishes, asked.validateOnly() ? Intent.CHECK : Intent.CARRY_OUT),
            outcomes -> {
              CreatePartitionsResponseData body = new CreatePartitionsResponseData();
              for (int i = 0; i < wishes.size(); i++) {
                body.results().add(result(wishes.get(i).topic(), Refusal.of(outcomes.get(i))));
              }
              unique.duplicates().forEach(name -> body.results().add(result(name, duplicate)));
              return body;
            });
  }

  private static MorePartitions wish(CreatePartitionsTopic topic) {
    return new MorePartitions(
        topic.name(),
        topic.count(),
        Optional.ofNullable(topic.assignments())
            .map(given -> given.stream().map(CreatePartitionsAssignment::brokerIds).toList()));
  }

  private static CreatePartitionsTopicResult result(String name, ApiError error) {
    return new CreatePartitionsTopicResult()
        .setName(name)
        .setErrorCode(error.error().code())
        .setErrorMessage(error.message());
  }
}
