package io.tidelog.handler;

import java.util.List;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;

/** Asks a server for configs, and to alter them. */
final class ConfigClient {
  private final TopicServer server;

  ConfigClient(TopicServer server) {
    this.server = server;
  }

  static DescribeConfigsSynonym synonym(String name, String value, ConfigSource source) {
    return new DescribeConfigsSynonym().setName(name).setValue(value).setSource(source.id());
  }

  static Errors error(DescribeConfigsResult result) {
    return Errors.forCode(result.errorCode());
  }

  DescribeConfigsResourceResult row(byte type, String name, String config) throws Exception {
    return describe(type, name, List.of(config)).configs().get(0);
  }

  DescribeConfigsResult describe(byte type, String name, List<String> configs) throws Exception {
    DescribeConfigsRequestData asked =
        new DescribeConfigsRequestData()
            .setIncludeSynonyms(true)
            .setIncludeDocumentation(true)
            .setResources(
                List.of(
                    new DescribeConfigsResource()
                        .setResourceType(type)
                        .setResourceName(name)
                        .setConfigurationKeys(configs)));
    return server
        .ask(new DescribeConfigsRequest.Builder(asked).build(), DescribeConfigsResponse.class)
        .data()
        .results()
        .get(0);
  }

  static AlterableConfig step(String config, OpType operation, String value) {
    return new AlterableConfig().setName(config).setConfigOperation(operation.id()).setValue(value);
  }

  Errors alter(byte type, String name, AlterableConfig... steps) throws Exception {
    AlterConfigsResource resource =
        new AlterConfigsResource().setResourceType(type).setResourceName(name);
    for (AlterableConfig step : steps) {
      resource.configs().add(step);
    }
    IncrementalAlterConfigsRequestData asked = new IncrementalAlterConfigsRequestData();
    asked.resources().add(resource);
    return Errors.forCode(
        server
            .ask(
                new IncrementalAlterConfigsRequest(asked, (short) 1),
                IncrementalAlterConfigsResponse.class)
            .data()
            .responses()
            .get(0)
            .errorCode());
  }
}
