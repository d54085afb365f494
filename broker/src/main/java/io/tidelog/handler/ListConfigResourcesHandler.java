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
    if (wanted.contains(ConfigResource.Type.GROUP.id())) {
      topics.image().configs().resourceData().keySet().stream()
          .filter(resource -> resource.type() == ConfigResource.Type.GROUP)
          .forEach(group -> resources.add(resource(group.type(), group.name())));
    }
    answer.complete(body.setConfigResources(resources));
  }

  private static ListConfigResourcesResponseData.ConfigResource resource(
      ConfigResource.Type type, String name) {
    return new ListConfigResourcesResponseData.ConfigResource()
        .setResourceType(type.id())
        .setResourceName(name);
  }
}
