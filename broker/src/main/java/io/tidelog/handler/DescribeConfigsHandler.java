package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.ConfigLookup;
import io.tidelog.topic.Topics;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.image.MetadataImage;

/**
 * Describes the configs of topics, groups, client metrics, this broker, its loggers and all
 * brokers, each for itself.
 */
public final class DescribeConfigsHandler implements RequestHandler {
  private final Topics topics;
  private final ConfigRows rows;
  private final BrokerRows brokers;

  /**
   * @param serverSettings the settings of this broker that take effect
   */
  public DescribeConfigsHandler(Topics topics, Collection<ServerSetting> serverSettings) {
    this.topics = topics;
    this.rows = new ConfigRows(topics);
    this.brokers = new BrokerRows(topics, serverSettings);
  }

  @Override
  public void handle(Request request, Answer answer) {
    DescribeConfigsRequestData asked = request.body(DescribeConfigsRequest.class).data();
    MetadataImage image = topics.image();
    answer.complete(
        new DescribeConfigsResponseData()
            .setResults(
                asked.resources().stream()
                    .map(resource -> describe(image, asked, resource))
                    .toList()));
  }

  private DescribeConfigsResult describe(
      MetadataImage image, DescribeConfigsRequestData asked, DescribeConfigsResource resource) {
    DescribeConfigsResult result =
        new DescribeConfigsResult()
            .setResourceType(resource.resourceType())
            .setResourceName(resource.resourceName());
    try {
      List<String> names = resource.configurationKeys();
      return result.setConfigs(
          rowsOf(image, resource).stream()
              .filter(row -> names == null || names.isEmpty() || names.contains(row.name()))
              .map(row -> row.described(asked))
              .toList());
    } catch (ApiException e) {
      ApiError error = ApiError.fromThrowable(e);
      return result.setErrorCode(error.error().code()).setErrorMessage(error.message());
    }
  }

  private List<ConfigRow> rowsOf(MetadataImage image, DescribeConfigsResource resource) {
    String name = resource.resourceName();
    return switch (ConfigResource.Type.forId(resource.resourceType())) {
      case TOPIC -> ofTopic(image, name);
      case BROKER -> ofBroker(image, name);
      case GROUP -> ofGroup(image, name);
      case CLIENT_METRICS -> ofClientMetrics(image, name);
      case BROKER_LOGGER -> ofLoggers(name);
      default ->
          throw new InvalidRequestException(
              "Unsupported resource type: "
                  + ConfigResource.Type.forId(resource.resourceType())
                  + ".");
    };
  }

  private List<ConfigRow> ofTopic(MetadataImage image, String name) {
    Topic.validate(name);
    if (image.topics().getTopic(name) == null) {
      throw Errors.UNKNOWN_TOPIC_OR_PARTITION.exception();
    }
    return rows.ofTopic(
        image.configs(), image.configs().configMapForResource(ConfigLookup.topic(name)));
  }

  private List<ConfigRow> ofGroup(MetadataImage image, String name) {
    if (name.isEmpty()) {
      throw new InvalidRequestException("Group name must not be empty.");
    }
    return rows.ofGroup(image.configs(), name);
  }

  private List<ConfigRow> ofClientMetrics(MetadataImage image, String name) {
    if (name.isEmpty()) {
      throw new InvalidRequestException("Client metrics subscription name must not be empty.");
    }
    return rows.ofClientMetrics(image.configs(), name);
  }

  private List<ConfigRow> ofBroker(MetadataImage image, String name) {
    if (name.isEmpty()) {
      return brokers.ofAll(image.configs());
    }
    checkId(name, " or empty string");
    return brokers.ofThis(image.configs());
  }

  private List<ConfigRow> ofLoggers(String name) {
    if (name.isEmpty()) {
      throw new InvalidRequestException("Broker id must not be empty");
    }
    checkId(name, "");
    return ConfigRows.ofLoggers();
  }

  private void checkId(String name, String otherwise) {
    String expected = topics.configs().thisBroker().name();
    if (!name.equals(expected)) {
      throw new InvalidRequestException(
          "Unexpected broker id, expected "
              + expected
              + otherwise
              + ", but received "
              + name
              + ".");
    }
  }
}
