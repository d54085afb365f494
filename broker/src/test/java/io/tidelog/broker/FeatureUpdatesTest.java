package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKey;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.apache.kafka.common.requests.StreamsGroupDescribeRequest;
import org.apache.kafka.common.requests.StreamsGroupDescribeResponse;
import org.apache.kafka.common.requests.UpdateFeaturesRequest;
import org.apache.kafka.common.requests.UpdateFeaturesResponse;
import org.junit.jupiter.api.Test;

/** Feature levels change as in Kafka, and what they turn off is off at once. */
class FeatureUpdatesTest extends WithBroker {
  private static final String GROUPS = "group.version";
  private static final String STREAMS = "streams.version";
  private static final String METADATA = "metadata.version";

  @Test
  void every_version_lowers_and_raises_a_level() throws IOException {
    for (short version = 0; version <= ApiKeys.UPDATE_FEATURES.latestVersion(); version++) {
      if (version > 0) {
        UpdateFeaturesResponseData lowered =
            update(version, request(GROUPS, 0, UpgradeType.SAFE_DOWNGRADE));
        assertThat(Errors.forCode(lowered.errorCode())).as("v%d", version).isEqualTo(Errors.NONE);
        assertThat(level(GROUPS)).isZero();
      }
      UpdateFeaturesResponseData raised = update(version, request(GROUPS, 1, UpgradeType.UPGRADE));
      assertThat(Errors.forCode(raised.errorCode())).as("v%d", version).isEqualTo(Errors.NONE);
      assertThat(raised.results()).as("v%d", version).hasSize(version < 2 ? 1 : 0);
      assertThat(level(GROUPS)).isEqualTo(1);
    }
  }

  @Test
  void what_cannot_be_had_is_refused_with_the_reason() throws IOException {
    assertRefused(request(GROUPS, 0, UpgradeType.UPGRADE), "without setting the upgrade type");
    assertRefused(request(GROUPS, 2, UpgradeType.UPGRADE), "only supports versions 0-1");
    assertRefused(request(GROUPS, -1, UpgradeType.SAFE_DOWNGRADE), "cannot be less than 0");
    assertRefused(request("no.such.feature", 1, UpgradeType.UPGRADE), "does not support this");
    assertRefused(request("share.version", 1, UpgradeType.UPGRADE), "does not support this");
    assertRefused(
        request("eligible.leader.replicas.version", 1, UpgradeType.UPGRADE),
        "does not support this");
    assertRefused(request(METADATA, 7, UpgradeType.SAFE_DOWNGRADE), "might delete metadata");
    assertRefused(request(METADATA, 99, UpgradeType.UPGRADE), "only supports versions");
    assertRefused(request(GROUPS, 0, UpgradeType.UNKNOWN), "does not support the given upgrade");
  }

  @Test
  void all_change_or_none() throws IOException {
    UpdateFeaturesRequestData both = request(STREAMS, 0, UpgradeType.SAFE_DOWNGRADE);
    both.featureUpdates()
        .add(
            new FeatureUpdateKey()
                .setFeature(GROUPS)
                .setMaxVersionLevel((short) 9)
                .setUpgradeType(UpgradeType.UPGRADE.code()));
    assertRefused(both, "feature " + GROUPS);
    assertThat(level(STREAMS)).isEqualTo(1);
  }

  @Test
  void checking_only_changes_nothing() throws IOException {
    UpdateFeaturesRequestData asked =
        request(GROUPS, 0, UpgradeType.SAFE_DOWNGRADE).setValidateOnly(true);
    assertThat(update((short) 2, asked).errorCode()).isZero();
    assertThat(level(GROUPS)).isEqualTo(1);
  }

  @Test
  void a_feature_that_is_off_takes_its_protocol_with_it() throws IOException {
    update((short) 2, request(GROUPS, 0, UpgradeType.SAFE_DOWNGRADE));
    update((short) 2, request(STREAMS, 0, UpgradeType.SAFE_DOWNGRADE));
    assertThat(consumerHeartbeat()).isEqualTo(Errors.UNSUPPORTED_VERSION);
    assertThat(streamsDescribe()).isEqualTo(Errors.UNSUPPORTED_VERSION);
    update((short) 2, request(GROUPS, 1, UpgradeType.UPGRADE));
    assertThat(consumerHeartbeat()).isNotEqualTo(Errors.UNSUPPORTED_VERSION);
  }

  private Errors consumerHeartbeat() throws IOException {
    ConsumerGroupHeartbeatRequestData asked =
        new ConsumerGroupHeartbeatRequestData().setGroupId("g").setMemberId("m");
    return Errors.forCode(
        client
            .wire()
            .call(
                new ConsumerGroupHeartbeatRequest.Builder(asked).build((short) 1),
                ConsumerGroupHeartbeatResponse.class)
            .data()
            .errorCode());
  }

  private Errors streamsDescribe() throws IOException {
    StreamsGroupDescribeRequestData asked =
        new StreamsGroupDescribeRequestData().setGroupIds(java.util.List.of("g"));
    return Errors.forCode(
        client
            .wire()
            .call(
                new StreamsGroupDescribeRequest.Builder(asked).build((short) 0),
                StreamsGroupDescribeResponse.class)
            .data()
            .groups()
            .get(0)
            .errorCode());
  }

  private void assertRefused(UpdateFeaturesRequestData asked, String why) throws IOException {
    UpdateFeaturesResponseData refused = update((short) 2, asked);
    assertThat(Errors.forCode(refused.errorCode())).isEqualTo(Errors.INVALID_UPDATE_VERSION);
    assertThat(refused.errorMessage()).startsWith("The update failed for all").contains(why);
  }

  private static UpdateFeaturesRequestData request(String feature, int level, UpgradeType type) {
    UpdateFeaturesRequestData asked = new UpdateFeaturesRequestData().setTimeoutMs(1_000);
    asked
        .featureUpdates()
        .add(
            new FeatureUpdateKey()
                .setFeature(feature)
                .setMaxVersionLevel((short) level)
                .setUpgradeType(type.code()));
    return asked;
  }

  private UpdateFeaturesResponseData update(short version, UpdateFeaturesRequestData asked)
      throws IOException {
    return client
        .wire()
        .call(new UpdateFeaturesRequest(asked, version), UpdateFeaturesResponse.class)
        .data();
  }

  private int level(String feature) {
    return broker.topics().image().features().finalizedVersions().getOrDefault(feature, (short) 0);
  }
}
