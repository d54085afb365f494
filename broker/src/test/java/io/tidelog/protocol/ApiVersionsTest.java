package io.tidelog.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ApiVersionsTest {
  private static final short LATEST = 5;
  private final OfferedApis apis =
      OfferedApis.builder(new FeaturedFacts()).offer(ApiKeys.FETCH, Frames.UNUSED).build();

  @Test
  void every_version_gets_the_apis() throws Exception {
    for (short version = 0; version <= LATEST; version++) {
      ApiVersionsResponseData answer = ask(version, client("good", "1.0"));
      assertThat(answer.errorCode()).isZero();
      assertThat(answer.apiKeys().find(ApiKeys.FETCH.id).maxVersion()).isEqualTo((short) 18);
      assertThat(answer.apiKeys().find(ApiKeys.API_VERSIONS.id).maxVersion()).isEqualTo(LATEST);
    }
  }

  @Test
  void features_in_force_are_told_and_those_at_level_0_are_not() throws Exception {
    ApiVersionsResponseData answer = ask((short) 4, client("good", "1.0"));
    assertThat(answer.finalizedFeaturesEpoch()).isEqualTo(99);
    assertThat(answer.finalizedFeatures()).hasSize(1);
    assertThat(answer.finalizedFeatures().find("metadata.version").maxVersionLevel())
        .isEqualTo((short) 25);
    assertThat(answer.finalizedFeatures().find("metadata.version").minVersionLevel())
        .isEqualTo((short) 25);
  }

  @Test
  void a_supported_feature_that_starts_at_level_0_is_told_from_v4_on() throws Exception {
    assertThat(ask((short) 3, client("good", "1.0")).supportedFeatures())
        .extracting(SupportedFeatureKey::name)
        .containsExactly("metadata.version");
    assertThat(ask((short) 4, client("good", "1.0")).supportedFeatures())
        .extracting(SupportedFeatureKey::name)
        .containsExactlyInAnyOrder("metadata.version", "group.version");
  }

  @Test
  void a_client_that_names_itself_badly_gets_invalid_request() throws Exception {
    for (String bad : new String[] {"", "-leading", "trailing-", "with space", "ünïcode"}) {
      assertThat(ask((short) 3, client(bad, "1.0")).errorCode())
          .as(bad)
          .isEqualTo(Errors.INVALID_REQUEST.code());
      assertThat(ask((short) 3, client("good", bad)).errorCode())
          .as(bad)
          .isEqualTo(Errors.INVALID_REQUEST.code());
    }
    assertThat(ask((short) 2, client("", "")).errorCode()).isZero();
  }

  @Test
  void a_client_that_names_itself_well_is_known_from_then_on() throws Exception {
    ask((short) 3, client("my-client.v2", "3.1-rc"));
    assertThat(Frames.PEER.software().softwareName()).isEqualTo("my-client.v2");
    assertThat(Frames.PEER.software().softwareVersion()).isEqualTo("3.1-rc");
  }

  @Test
  void a_client_that_looks_for_another_broker_is_told_to_start_again() throws Exception {
    assertThat(ask(LATEST, lookingFor("cluster", 1)).errorCode()).isZero();
    assertThat(ask(LATEST, lookingFor("cluster", 2)).errorCode())
        .isEqualTo(Errors.REBOOTSTRAP_REQUIRED.code());
    assertThat(ask(LATEST, lookingFor("other", 1)).errorCode())
        .isEqualTo(Errors.REBOOTSTRAP_REQUIRED.code());
    assertThat(ask(LATEST, lookingFor("cluster", -1)).errorCode())
        .isEqualTo(Errors.INVALID_REQUEST.code());
    assertThat(ask(LATEST, lookingFor(null, 1)).errorCode())
        .isEqualTo(Errors.INVALID_REQUEST.code());
  }

  private ApiVersionsResponseData ask(short version, ApiVersionsRequestData body)
      throws BadRequestException {
    Request request = Frames.decode(apis, Frames.of(ApiKeys.API_VERSIONS, version, body));
    Given given = new Given();
    apis.handler(ApiKeys.API_VERSIONS).handle(request, given);
    return (ApiVersionsResponseData) given.body;
  }

  private static ApiVersionsRequestData client(String name, String version) {
    return new ApiVersionsRequestData()
        .setClientSoftwareName(name)
        .setClientSoftwareVersion(version);
  }

  private static ApiVersionsRequestData lookingFor(String clusterId, int nodeId) {
    return client("good", "1.0").setClusterId(clusterId).setNodeId(nodeId);
  }

  private static final class Given implements Answer {
    private ApiMessage body;

    @Override
    public void complete(ApiMessage answer) {
      body = answer;
    }

    @Override
    public void fail(Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void none() {
      throw new AssertionError();
    }

    @Override
    public void closeConnection() {
      throw new AssertionError();
    }

    @Override
    public void whenAbandoned(Runnable action) {}
  }

  private static final class FeaturedFacts extends Frames.NoFacts {
    @Override
    public Map<String, FeatureRange> supportedFeatures() {
      return Map.of(
          "metadata.version", new FeatureRange((short) 7, (short) 29),
          "group.version", new FeatureRange((short) 0, (short) 1));
    }

    @Override
    public FinalizedFeatures finalizedFeatures() {
      return new FinalizedFeatures(
          Map.of("metadata.version", (short) 25, "group.version", (short) 0), 99);
    }
  }
}
