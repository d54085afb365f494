package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What else than topics has configs (one broker, all brokers, groups, client metrics) can be
 * altered and described at every version that is offered, and gets the same errors.
 */
class EveryConfigResourceAtEveryVersionTest {
  private static final int WITH_DOCUMENTATION = 3;

  private static final List<Sample> SAMPLES =
      List.of(
          new Sample(
              ConfigResource.Type.BROKER,
              "1",
              "log.retention.ms",
              ConfigSource.DYNAMIC_BROKER_CONFIG,
              ConfigType.LONG),
          new Sample(
              ConfigResource.Type.BROKER,
              "",
              "log.retention.ms",
              ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG,
              ConfigType.LONG),
          new Sample(
              ConfigResource.Type.GROUP,
              "readers",
              "consumer.session.timeout.ms",
              ConfigSource.GROUP_CONFIG,
              ConfigType.INT),
          new Sample(
              ConfigResource.Type.CLIENT_METRICS,
              "wish",
              "interval.ms",
              ConfigSource.CLIENT_METRICS_CONFIG,
              ConfigType.INT));

  private TopicServer server;

  /** A config of a resource, with what is told of it once it is set. */
  private record Sample(
      ConfigResource.Type type,
      String name,
      String config,
      ConfigSource source,
      ConfigType valueType) {

    /** One that all of these configs may have. */
    String value(int version) {
      return Integer.toString(50_000 + version);
    }
  }

  /** What is done with a resource at one version. */
  private interface Claim {
    void check(Sample sample, short version) throws Exception;
  }

  @BeforeEach
  void start() throws Exception {
    server = TopicServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static Stream<DynamicTest> each(ApiKeys api, Claim claim) {
    return SAMPLES.stream()
        .flatMap(
            sample ->
                IntStream.rangeClosed(api.oldestVersion(), api.latestVersion(false))
                    .mapToObj(
                        version ->
                            dynamicTest(
                                "%s v%d of %s \"%s\""
                                    .formatted(api.name, version, sample.type, sample.name),
                                () -> claim.check(sample, (short) version))));
  }

  @TestFactory
  Stream<DynamicTest> describe_configs() {
    return each(
        ApiKeys.DESCRIBE_CONFIGS,
        (sample, version) -> {
          String value = sample.value(version);
          assertThat(alter(sample, value, newestAlteration())).isEqualTo(Errors.NONE);
          DescribeConfigsResult result =
              describe(sample, sample.name, List.of(sample.config), version);
          assertThat(Errors.forCode(result.errorCode())).isEqualTo(Errors.NONE);
          assertThat(result.resourceType()).isEqualTo(sample.type.id());
          assertThat(result.resourceName()).isEqualTo(sample.name);
          assertThat(result.configs()).singleElement().satisfies(row -> check(sample, value, row));
          DescribeConfigsResourceResult row = result.configs().get(0);
          boolean isNew = version >= WITH_DOCUMENTATION;
          assertThat(row.configType())
              .isEqualTo((isNew ? sample.valueType : ConfigType.UNKNOWN).id());
          assertThat(row.documentation() != null && !row.documentation().isEmpty())
              .isEqualTo(isNew);
          assertThat(describe(sample, sample.name, null, version).configs())
              .extracting(DescribeConfigsResourceResult::name)
              .contains(sample.config);
        });
  }

  private static void check(Sample sample, String value, DescribeConfigsResourceResult row) {
    assertThat(row.name()).isEqualTo(sample.config);
    assertThat(row.value()).isEqualTo(value);
    assertThat(row.configSource()).isEqualTo(sample.source.id());
    assertThat(row.readOnly()).isFalse();
    assertThat(row.isSensitive()).isFalse();
    assertThat(row.synonyms().get(0))
        .isEqualTo(
            new DescribeConfigsSynonym()
                .setName(sample.config)
                .setValue(value)
                .setSource(sample.source.id()));
  }

  @TestFactory
  Stream<DynamicTest> describe_configs_of_what_cannot_be() {
    return each(
        ApiKeys.DESCRIBE_CONFIGS,
        (sample, version) -> {
          String nobody = sample.type == ConfigResource.Type.BROKER ? "2" : "";
          DescribeConfigsResult result = describe(sample, nobody, null, version);
          assertThat(Errors.forCode(result.errorCode())).isEqualTo(Errors.INVALID_REQUEST);
          assertThat(result.configs()).isEmpty();
        });
  }

  @TestFactory
  Stream<DynamicTest> incremental_alter_configs() {
    return each(
        ApiKeys.INCREMENTAL_ALTER_CONFIGS,
        (sample, version) -> {
          assertThat(alter(sample, sample.value(version), version)).isEqualTo(Errors.NONE);
          assertThat(valueOf(sample)).isEqualTo(sample.value(version));
          assertThat(alter(sample, "x", version))
              .isIn(Errors.INVALID_CONFIG, Errors.INVALID_REQUEST);
          assertThat(valueOf(sample)).isEqualTo(sample.value(version));
          assertThat(alter(sample, null, version)).isEqualTo(Errors.NONE);
          assertThat(valueOf(sample)).isNotEqualTo(sample.value(version));
        });
  }

  @TestFactory
  Stream<DynamicTest> alter_configs() {
    return each(
        ApiKeys.ALTER_CONFIGS,
        (sample, version) -> {
          AlterConfigsRequestData asked = new AlterConfigsRequestData();
          AlterConfigsRequestData.AlterConfigsResource resource =
              new AlterConfigsRequestData.AlterConfigsResource()
                  .setResourceType(sample.type.id())
                  .setResourceName(sample.name);
          resource
              .configs()
              .add(
                  new AlterConfigsRequestData.AlterableConfig()
                      .setName(sample.config)
                      .setValue(sample.value(version)));
          asked.resources().add(resource);
          var answer =
              server
                  .ask(new AlterConfigsRequest(asked, version), AlterConfigsResponse.class)
                  .data();
          assertThat(Errors.forCode(answer.responses().get(0).errorCode())).isEqualTo(Errors.NONE);
          assertThat(valueOf(sample)).isEqualTo(sample.value(version));
        });
  }

  private static short newestAlteration() {
    return ApiKeys.INCREMENTAL_ALTER_CONFIGS.latestVersion(false);
  }

  /** The value that is described now; null if the config is not. */
  private String valueOf(Sample sample) throws Exception {
    short newest = ApiKeys.DESCRIBE_CONFIGS.latestVersion(false);
    List<DescribeConfigsResourceResult> rows =
        describe(sample, sample.name, List.of(sample.config), newest).configs();
    return rows.isEmpty() ? null : rows.get(0).value();
  }

  private DescribeConfigsResult describe(
      Sample sample, String name, List<String> configs, short version) throws Exception {
    DescribeConfigsRequestData asked =
        new DescribeConfigsRequestData()
            .setIncludeSynonyms(true)
            .setIncludeDocumentation(version >= WITH_DOCUMENTATION)
            .setResources(
                List.of(
                    new DescribeConfigsResource()
                        .setResourceType(sample.type.id())
                        .setResourceName(name)
                        .setConfigurationKeys(configs)));
    return server
        .ask(
            new DescribeConfigsRequest.Builder(asked).build(version), DescribeConfigsResponse.class)
        .data()
        .results()
        .get(0);
  }

  /**
   * Sets the config.
   *
   * @param value null to take it back
   */
  private Errors alter(Sample sample, String value, short version) throws Exception {
    OpType operation = value == null ? OpType.DELETE : OpType.SET;
    AlterConfigsResource resource =
        new AlterConfigsResource().setResourceType(sample.type.id()).setResourceName(sample.name);
    resource
        .configs()
        .add(
            new AlterableConfig()
                .setName(sample.config)
                .setConfigOperation(operation.id())
                .setValue(value));
    IncrementalAlterConfigsRequestData asked = new IncrementalAlterConfigsRequestData();
    asked.resources().add(resource);
    var answer =
        server
            .ask(
                new IncrementalAlterConfigsRequest.Builder(asked).build(version),
                IncrementalAlterConfigsResponse.class)
            .data();
    return Errors.forCode(answer.responses().get(0).errorCode());
  }
}
