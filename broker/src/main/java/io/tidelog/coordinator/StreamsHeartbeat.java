package io.tidelog.coordinator;

import io.tidelog.topic.NewTopic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.coordinator.group.streams.StreamsGroupHeartbeatResult;

/**
 * What a member of a group of Kafka Streams is told, and what is to be done for it.
 *
 * @param answer for the member
 * @param missing the group's own topics that are not there yet
 */
public record StreamsHeartbeat(StreamsGroupHeartbeatResponseData answer, List<NewTopic> missing) {

  static StreamsHeartbeat of(StreamsGroupHeartbeatResult result) {
    return new StreamsHeartbeat(
        result.data(),
        result.creatableTopics().values().stream().map(StreamsHeartbeat::wish).toList());
  }

  private static NewTopic wish(CreatableTopic topic) {
    Map<String, String> configs = new HashMap<>();
    topic.configs().forEach(config -> configs.put(config.name(), config.value()));
    return new NewTopic(
        topic.name(), topic.numPartitions(), topic.replicationFactor(), List.of(), configs);
  }
}
