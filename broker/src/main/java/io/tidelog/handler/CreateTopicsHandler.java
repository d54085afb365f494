package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.CreatedTopic;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.Outcome;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.CreateTopicsRequest;

/** Creates topics, each for itself. Answers when they are usable. */
public final class CreateTopicsHandler implements RequestHandler {
  private final Topics topics;
  private final ConfigRows rows;

  public CreateTopicsHandler(Topics topics) {
    this.topics = topics;
    this.rows = new ConfigRows(topics);
  }

  @Override
  public void handle(Request request, Answer answer) {
    CreateTopicsRequestData asked = request.body(CreateTopicsRequest.class).data();
    Unique<String, CreatableTopic> unique = Unique.of(asked.topics(), CreatableTopic::name);
    boolean asksForMetadataLog = unique.parts().remove(Topic.CLUSTER_METADATA_TOPIC_NAME) != null;
    List<CreatableTopic> wanted = List.copyOf(unique.parts().values());
    List<NewTopic> wishes = wanted.stream().map(CreateTopicsHandler::wish).toList();
    LaterAnswer.to(answer)
        .with(
            topics.admin().create(wishes, asked.validateOnly() ? Intent.CHECK : Intent.CARRY_OUT),
            outcomes -> {
              CreateTopicsResponseData body = new CreateTopicsResponseData();
              for (int i = 0; i < wanted.size(); i++) {
                body.topics().add(result(wanted.get(i).name(), outcomes.get(i)));
              }
              unique
                  .duplicates()
                  .forEach(name -> body.topics().add(invalid(name, "Duplicate topic name.")));
              if (asksForMetadataLog) {
                body.topics()
                    .add(
                        invalid(
                            Topic.CLUSTER_METADATA_TOPIC_NAME,
                            "The topic that holds the metadata log cannot be created."));
              }
              return body;
            });
  }

  private static NewTopic wish(CreatableTopic topic) {
    Map<String, String> configs = new HashMap<>();
    topic.configs().forEach(config -> configs.put(config.name(), config.value()));
    return new NewTopic(
        topic.name(),
        topic.numPartitions(),
        topic.replicationFactor(),
        topic.assignments().stream()
            .map(given -> new NewTopic.Assignment(given.partitionIndex(), given.brokerIds()))
            .toList(),
        configs);
  }

  private CreatableTopicResult result(String name, Outcome<CreatedTopic> outcome) {
    CreatableTopicResult result = new CreatableTopicResult().setName(name);
    if (outcome.isRefused()) {
      ApiError error = ApiError.fromThrowable(outcome.error());
      return result.setErrorCode(error.error().code()).setErrorMessage(error.message());
    }
    CreatedTopic created = outcome.value();
    return result
        .setErrorMessage(null)
        .setTopicId(created.id())
        .setNumPartitions(created.partitions())
        .setReplicationFactor(CreatedTopic.REPLICATION_FACTOR)
        .setConfigs(configs(created.configs()));
  }

  private List<CreatableTopicConfigs> configs(Map<String, String> own) {
    return rows.ofTopic(topics.image().configs(), own).stream()
        .map(
            row ->
                new CreatableTopicConfigs()
                    .setName(row.name())
                    .setValue(row.value())
                    .setConfigSource(row.source())
                    .setReadOnly(false)
                    .setIsSensitive(false))
        .toList();
  }

  private static CreatableTopicResult invalid(String name, String why) {
    return new CreatableTopicResult()
        .setName(name)
        .setErrorCode(Errors.INVALID_REQUEST.code())
        .setErrorMessage(why);
  }
}
