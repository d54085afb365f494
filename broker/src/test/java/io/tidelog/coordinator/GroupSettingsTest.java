package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupSettingsTest {

  @Test
  void defaults_are_kafkas() {
    GroupSettings settings = GroupSettings.of(Map.of());
    assertThat(settings.config().classicGroupInitialRebalanceDelayMs()).isEqualTo(3_000);
    assertThat(settings.config().classicGroupMinSessionTimeoutMs()).isEqualTo(6_000);
    assertThat(settings.config().consumerGroupSessionTimeoutMs()).isEqualTo(45_000);
    assertThat(settings.config().offsetsRetentionMs()).isEqualTo(7L * 24 * 3_600_000);
    assertThat(settings.config().offsetsTopicPartitions()).isEqualTo(50);
    assertThat(settings.offersConsumerProtocol()).isTrue();
  }

  @Test
  void settings_of_others_are_left_alone_and_ours_take_effect() {
    GroupSettings settings =
        GroupSettings.of(
            Map.of("group.initial.rebalance.delay.ms", "0", "log.segment.bytes", "nonsense"));
    assertThat(settings.config().classicGroupInitialRebalanceDelayMs()).isZero();
  }

  @Test
  void a_bad_value_is_named() {
    assertThatThrownBy(() -> GroupSettings.of(Map.of("group.coordinator.threads", "0")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("group.coordinator.threads");
    assertThatThrownBy(() -> GroupSettings.of(Map.of("offsets.retention.minutes", "week")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offsets.retention.minutes");
  }

  @Test
  void a_protocol_that_is_not_offered_is_refused_and_consumer_can_be_turned_off() {
    String protocols = "group.coordinator.rebalance.protocols";
    assertThatThrownBy(() -> GroupSettings.of(Map.of(protocols, "classic,share")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("share");
    assertThat(GroupSettings.of(Map.of(protocols, "classic")).offersConsumerProtocol()).isFalse();
    assertThat(GroupSettings.of(Map.of(protocols, "classic")).offersStreamsProtocol()).isFalse();
    assertThat(GroupSettings.of(Map.of()).offersStreamsProtocol()).isTrue();
  }

  @Test
  void the_names_are_those_that_take_effect() {
    assertThat(GroupSettings.names())
        .contains(
            "group.initial.rebalance.delay.ms",
            "group.consumer.session.timeout.ms",
            "group.streams.session.timeout.ms",
            "offsets.retention.check.interval.ms",
            "offset.metadata.max.bytes")
        .noneMatch(name -> name.contains("share") || name.contains("plugin"))
        .doesNotContain("offsets.topic.replication.factor");
  }
}
