package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListConfigResourcesRequest;

/**
 * Lists the resources that have configs: all topics, this broker, and the groups for which some are
 * set.
 */
public final class ListConfigResourcesHandler implements RequestHandler {
  /** There are as many of these as have configs. */
  private static final Set<ConfigResource.Type> NAMED_BY_CONFIGS =
      Set.of(ConfigResource.Type.GROUP, ConfigResource.Type.CLIENT_METRICS);

  private final Topics topics;

  public ListConfigResourcesHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    ListConfigResourcesRequest asked = request.body(ListConfigResourcesRequest.class);
    Set<Byte> supported = asked.supportedResourceTypes();
    Set<Byte> wanted = new TreeSet<>(asked.data().resourceTypes());
    if (wanted.isEmpty()) {
      wanted.addAll(supported);
    }
    ListConfigResourcesResponseData body = new ListConfigResourcesResponseData();
    if (!supported.containsAll(wanted)) {
      answer.complete(body.setErrorCode(Errors.UNSUPPORTED_VERSION.code()));
      return;
    }
    List<ListConfigResourcesResponseData.ConfigResource> resources = new ArrayList<>();
    if (wanted.contains(ConfigResource.Type.TOPIC.id())) {
      topics
          .all()
          .forEach(topic -> resources.add(resource(ConfigResource.Type.TOPIC, topic.name())));
    }
    if (wanted.contains(ConfigResource.Type.BROKER.id())) {
      resources.add(resource(ConfigResource.Type.BROKER, topics.configs().thisBroker().name()));
    }
    topics.image().configs().resourceData().keySet().stream()
        .filter(resource -> NAMED_BY_CONFIGS.contains(resource.type()))
        .filter(resource -> wanted.contains(resource.type().id()))
        .forEach(resource -> resources.add(resource(resource.type(), resource.name())));
    answer.complete(body.setConfigResources(resources));
  }

  private static ListConfigResourcesResponseData.ConfigResource resource(
      ConfigResource.Type type, String name) {
    return new ListConfigResourcesResponseData.ConfigResource()
        .setResourceType(type.id())
        .setResourceName(name);
  }
}
