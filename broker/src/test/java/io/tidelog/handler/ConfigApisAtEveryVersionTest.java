package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData.DescribableLogDirTopic;
import org.apache.kafka.common.message.DescribeLogDirsRequestData.DescribableLogDirTopicCollection;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.DescribeClusterResponse;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.common.requests.DescribeLogDirsRequest;
import org.apache.kafka.common.requests.DescribeLogDirsResponse;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.apache.kafka.common.requests.ListConfigResourcesRequest;
import org.apache.kafka.common.requests.ListConfigResourcesResponse;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every API about configs and the cluster works at every version that is offered, with real request
 * objects.
 */
class ConfigApisAtEveryVersionTest extends AtEveryVersion {
  private static final byte CLIENT_METRICS = ConfigResource.Type.CLIENT_METRICS.id();

  @TestFactory
  Stream<DynamicTest> describe_configs() {
    return each(
        ApiKeys.DESCRIBE_CONFIGS,
        version -> {
          DescribeConfigsRequestData asked = new DescribeConfigsRequestData();
          asked
              .resources()
              .add(
                  new DescribeConfigsRequestData.DescribeConfigsResource()
                      .setResourceType(ConfigResource.Type.TOPIC.id())
                      .setResourceName("orders")
                      .setConfigurationKeys(List.of("retention.ms")));
          asked
              .resources()
              .add(
                  new DescribeConfigsRequestData.DescribeConfigsResource()
                      .setResourceType(ConfigResource.Type.BROKER.id())
                      .setResourceName("1")
                      .setConfigurationKeys(null));
          asked.setIncludeSynonyms(true);
          asked.setIncludeDocumentation(version >= 3);
          var answer =
              server
                  .ask(
                      new DescribeConfigsRequest.Builder(asked).build(version),
                      DescribeConfigsResponse.class)
                  .data();
          DescribeConfigsResourceResult row = answer.results().get(0).configs().get(0);
          assertThat(answer.results().get(0).configs()).hasSize(1);
          assertThat(row.name()).isEqualTo("retention.ms");
          assertThat(row.value()).isEqualTo("7000");
          assertThat(row.configSource()).isEqualTo((byte) 1);
          assertThat(row.synonyms().get(0).value()).isEqualTo("7000");
          assertThat(answer.results().get(1).configs())
              .anySatisfy(config -> assertThat(config.name()).isEqualTo("num.partitions"));
        });
  }

  @TestFactory
  Stream<DynamicTest> alter_configs() {
    return each(
        ApiKeys.ALTER_CONFIGS,
        version -> {
          AlterConfigsRequestData asked = new AlterConfigsRequestData();
          AlterConfigsRequestData.AlterConfigsResource resource =
              new AlterConfigsRequestData.AlterConfigsResource()
                  .setResourceType(ConfigResource.Type.TOPIC.id())
                  .setResourceName("orders");
          resource
              .configs()
              .add(
                  new AlterConfigsRequestData.AlterableConfig()
                      .setName("flush.messages")
                      .setValue("" + (7 + version)));
          asked.resources().add(resource);
          var answer =
              server
                  .ask(new AlterConfigsRequest(asked, version), AlterConfigsResponse.class)
                  .data();
          assertThat(answer.responses().get(0).errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(orders.partition(0).orElseThrow().log().settings().flushMessages())
              .isEqualTo(7 + version);
        });
  }

  @TestFactory
  Stream<DynamicTest> incremental_alter_configs() {
    return each(
        ApiKeys.INCREMENTAL_ALTER_CONFIGS,
        version -> {
          IncrementalAlterConfigsRequestData asked = new IncrementalAlterConfigsRequestData();
          IncrementalAlterConfigsRequestData.AlterConfigsResource resource =
              new IncrementalAlterConfigsRequestData.AlterConfigsResource()
                  .setResourceType(ConfigResource.Type.TOPIC.id())
                  .setResourceName("orders");
          resource
              .configs()
              .add(
                  new IncrementalAlterConfigsRequestData.AlterableConfig()
                      .setName("segment.ms")
                      .setConfigOperation((byte) 0)
                      .setValue("" + (50 + version)));
          asked.resources().add(resource);
          var answer =
              server
                  .ask(
                      new IncrementalAlterConfigsRequest.Builder(asked).build(version),
                      IncrementalAlterConfigsResponse.class)
                  .data();
          assertThat(answer.responses().get(0).errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(orders.partition(1).orElseThrow().log().settings().segmentMs())
              .isEqualTo(50 + version);
        });
  }

  @TestFactory
  Stream<DynamicTest> describe_cluster() {
    return each(
        ApiKeys.DESCRIBE_CLUSTER,
        version -> {
          DescribeClusterRequestData asked =
              new DescribeClusterRequestData().setIncludeClusterAuthorizedOperations(true);
          DescribeClusterResponseData answer =
              server
                  .ask(
                      new DescribeClusterRequest.Builder(asked).build(version),
                      DescribeClusterResponse.class)
                  .data();
          assertThat(answer.errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(answer.controllerId()).isEqualTo(1);
          assertThat(answer.brokers().find(1).port()).isEqualTo(server.address().getPort());
          assertThat(answer.clusterAuthorizedOperations()).isEqualTo(AllOperations.ON_CLUSTER);
        });
  }

  @TestFactory
  Stream<DynamicTest> describe_log_dirs() {
    return each(
        ApiKeys.DESCRIBE_LOG_DIRS,
        version -> {
          DescribeLogDirsResult result = logDir(null, version);
          assertThat(result.errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(result.logDir()).isEqualTo("/data");
          assertThat(result.topics().get(0).partitions()).hasSize(2);
          if (version >= 4) {
            assertThat(result.usableBytes()).isPositive();
            assertThat(result.totalBytes()).isGreaterThanOrEqualTo(result.usableBytes());
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> describe_log_dirs_of_partitions_that_cannot_be() {
    return each(
        ApiKeys.DESCRIBE_LOG_DIRS,
        version -> {
          DescribableLogDirTopicCollection topics = new DescribableLogDirTopicCollection();
          topics.add(new DescribableLogDirTopic().setTopic("a b").setPartitions(List.of(0)));
          topics.add(
              new DescribableLogDirTopic().setTopic(orders.name()).setPartitions(List.of(-1, 1)));
          DescribeLogDirsResult result = logDir(topics, version);
          assertThat(result.errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(result.topics()).hasSize(1);
          assertThat(result.topics().get(0).partitions())
              .extracting(DescribeLogDirsPartition::partitionIndex)
              .containsExactly(1);
        });
  }

  private DescribeLogDirsResult logDir(DescribableLogDirTopicCollection topics, short version)
      throws Exception {
    return server
        .ask(
            new DescribeLogDirsRequest(new DescribeLogDirsRequestData().setTopics(topics), version),
            DescribeLogDirsResponse.class)
        .data()
        .results()
        .get(0);
  }

  @TestFactory
  Stream<DynamicTest> list_config_resources() {
    return each(
        ApiKeys.LIST_CONFIG_RESOURCES,
        version -> {
          var answer =
              server
                  .ask(
                      new ListConfigResourcesRequest.Builder(
                              new ListConfigResourcesRequestData()
                                  .setResourceTypes(
                                      version == 0 ? List.of(CLIENT_METRICS) : List.of()))
                          .build(version),
                      ListConfigResourcesResponse.class)
                  .data();
          assertThat(answer.errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(answer.configResources()).hasSize(version == 0 ? 0 : 2);
        });
  }
}
