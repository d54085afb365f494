package io.tidelog.handler;

import io.tidelog.coordinator.GroupConfigs;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.ClientMetrics;
import io.tidelog.topic.ConfigEdit;
import io.tidelog.topic.ConfigSteps;
import io.tidelog.topic.ConfigSteps.Step;
import io.tidelog.topic.ConfigSteps.Verb;
import io.tidelog.topic.ServerConfigs;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.TopicConfigs;
import io.tidelog.topic.Topics;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;

/** Changes single configs of resources and leaves the others as they are. */
public final class IncrementalAlterConfigsHandler implements RequestHandler {
  private final Topics topics;
  private final GroupConfigs groups;

  public IncrementalAlterConfigsHandler(Topics topics, GroupConfigs groups) {
    this.topics = topics;
    this.groups = groups;
  }

  @Override
  public void handle(Request request, Answer answer) {
    IncrementalAlterConfigsRequestData asked =
        request.body(IncrementalAlterConfigsRequest.class).data();
    LaterAnswer.to(answer)
        .with(
            ConfigAlterations.of(
                    asked.resources(),
                    IncrementalAlterConfigsHandler::resource,
                    IncrementalAlterConfigsHandler::edit)
                .checkedBy(groups)
                .apply(topics.admin(), asked.validateOnly() ? Intent.CHECK : Intent.CARRY_OUT),
            errors -> answer(asked, errors));
  }

  private static ConfigResource resource(AlterConfigsResource part) {
    return new ConfigResource(ConfigResource.Type.forId(part.resourceType()), part.resourceName());
  }

  private static ConfigEdit edit(AlterConfigsResource part) {
    Collection<AlterableConfig> configs =
        ConfigAlterations.eachOnce(part.configs(), AlterableConfig::name);
    List<String> withoutValue =
        configs.stream()
            .filter(config -> config.value() == null)
            .filter(config -> config.configOperation() != OpType.DELETE.id())
            .map(AlterableConfig::name)
            .toList();
    if (!withoutValue.isEmpty()) {
      throw new InvalidRequestException(
          "Null value not supported for : " + String.join(", ", withoutValue));
    }
    return new ConfigSteps(
        configs.stream().map(IncrementalAlterConfigsHandler::step).toList(), keys(part)::get);
  }

  private static Map<String, ConfigKey> keys(AlterConfigsResource part) {
    return switch (ConfigResource.Type.forId(part.resourceType())) {
      case BROKER -> ServerConfigs.keys();
      case GROUP ->
          GroupConfigs.keys().stream().collect(Collectors.toMap(key -> key.name, key -> key));
      case CLIENT_METRICS -> ClientMetrics.keys();
      default -> TopicConfigs.keys();
    };
  }

  private static Step step(AlterableConfig config) {
    OpType operation = OpType.forId(config.configOperation());
    if (operation == null) {
      throw new InvalidRequestException("Unknown operation type " + config.configOperation());
    }
    return new Step(Verb.valueOf(operation.name()), config.name(), config.value());
  }

  private static IncrementalAlterConfigsResponseData answer(
      IncrementalAlterConfigsRequestData asked, Map<ConfigResource, ApiError> errors) {
    IncrementalAlterConfigsResponseData body = new IncrementalAlterConfigsResponseData();
    for (AlterConfigsResource part : asked.resources()) {
      ApiError error = errors.get(resource(part));
      body.responses()
          .add(
              new AlterConfigsResourceResponse()
                  .setResourceType(part.resourceType())
                  .setResourceName(part.resourceName())
                  .setErrorCode(error.error().code())
                  .setErrorMessage(error.message()));
    }
    return body;
  }
}
