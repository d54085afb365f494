package io.tidelog.handler;

import io.tidelog.coordinator.GroupConfigs;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.ConfigEdit;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.Topics;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.ApiError;

/** Sets all configs of resources anew: what the request does not name goes back to its default. */
public final class AlterConfigsHandler implements RequestHandler {
  private final Topics topics;
  private final GroupConfigs groups;

  public AlterConfigsHandler(Topics topics, GroupConfigs groups) {
    this.topics = topics;
    this.groups = groups;
  }

  @Override
  public void handle(Request request, Answer answer) {
    AlterConfigsRequestData asked = request.body(AlterConfigsRequest.class).data();
    LaterAnswer.to(answer)
        .with(
            ConfigAlterations.of(
                    asked.resources(), AlterConfigsHandler::resource, AlterConfigsHandler::edit)
                .checkedBy(groups)
                .apply(topics.admin(), asked.validateOnly() ? Intent.CHECK : Intent.CARRY_OUT),
            errors -> answer(asked, errors));
  }

  private static ConfigResource resource(AlterConfigsResource part) {
    return new ConfigResource(ConfigResource.Type.forId(part.resourceType()), part.resourceName());
  }

  private static ConfigEdit edit(AlterConfigsResource part) {
    Map<String, String> wanted = new TreeMap<>();
    TreeSet<String> withoutValue = new TreeSet<>();
    for (AlterableConfig config :
        ConfigAlterations.eachOnce(part.configs(), AlterableConfig::name)) {
      wanted.put(config.name(), config.value());
      if (config.value() == null) {
        withoutValue.add(config.name());
      }
    }
    if (!withoutValue.isEmpty()) {
      throw new InvalidRequestException(
          "Null value not supported for : " + String.join(", ", withoutValue));
    }
    return current -> wanted;
  }

  private static AlterConfigsResponseData answer(
      AlterConfigsRequestData asked, Map<ConfigResource, ApiError> errors) {
    AlterConfigsResponseData body = new AlterConfigsResponseData();
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
