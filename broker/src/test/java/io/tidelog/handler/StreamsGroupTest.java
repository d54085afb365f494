package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.KeyValue;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TopicInfo;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Topology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.Status;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;
import org.apache.kafka.common.requests.StreamsGroupDescribeRequest;
import org.apache.kafka.common.requests.StreamsGroupDescribeResponse;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateRequest;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of Kafka Streams form, get their own topics, and are described, at every version. */
class StreamsGroupTest {
  @TempDir Path directory;
  private GroupServer server;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory, Map.of("group.streams.initial.rebalance.delay.ms", "0"));
    server.createTopic("words", 3);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void every_version_makes_a_members_topics_and_gives_it_tasks() {
    for (short version = 0;
        version <= ApiKeys.STREAMS_GROUP_HEARTBEAT.latestVersion(false);
        version++) {
      String group = "app" + version;
      StreamsGroupHeartbeatResponseData joined = beat(version, joining(group, "words"));
      assertThat(Errors.forCode(joined.errorCode())).as("v%d", version).isEqualTo(Errors.NONE);
      assertThat(server.topics.find(group + "-counts-changelog").orElseThrow().partitionCount())
          .isEqualTo(3);
      assertThat(
              server
                  .topics
                  .image()
                  .configs()
                  .configMapForResource(
                      io.tidelog.topic.ConfigLookup.topic(group + "-counts-changelog")))
          .containsEntry("cleanup.policy", "compact");
      int epoch = joined.memberEpoch();
      StreamsGroupHeartbeatResponseData assigned = joined;
      for (int round = 0; round < 20 && tasks(assigned) < 3; round++) {
        server.time.advanceMs(5_000);
        assigned = beat(version, staying(group, epoch));
        epoch = assigned.memberEpoch();
      }
      assertThat(tasks(assigned)).as("v%d", version).isEqualTo(3);
      DescribedGroup described = describe((short) Math.min(version, 1), group);
      assertThat(described.errorCode()).isZero();
      assertThat(described.members()).hasSize(1);
      assertThat(described.topology().subtopologies().get(0).sourceTopics())
          .containsExactly("words");
      assertThat(described.authorizedOperations()).isEqualTo(AllOperations.ON_GROUP);
    }
    ListGroupsRequestData streams = new ListGroupsRequestData().setTypesFilter(List.of("streams"));
    assertThat(
            server
                .ask(
                    new ListGroupsRequest.Builder(streams).build((short) 5),
                    ListGroupsResponse.class)
                .data()
                .groups())
        .hasSize(2);
  }

  @Test
  void a_member_learns_which_source_topic_is_missing() {
    StreamsGroupHeartbeatResponseData joined = beat((short) 0, joining("lonely", "nowhere"));
    assertThat(joined.errorCode()).isZero();
    assertThat(joined.status())
        .extracting(Status::statusCode)
        .contains(StreamsGroupHeartbeatResponse.Status.MISSING_SOURCE_TOPICS.code());
    assertThat(server.topics.find("lonely-counts-changelog")).isEmpty();
  }

  @Test
  void a_member_learns_why_its_topic_cannot_be_made() {
    StreamsGroupHeartbeatRequestData asked = joining("bad", "words");
    asked
        .topology()
        .subtopologies()
        .get(0)
        .stateChangelogTopics()
        .get(0)
        .topicConfigs()
        .add(new KeyValue().setKey("no.such.config").setValue("1"));
    Status missing =
        beat((short) 0, asked).status().stream()
            .filter(
                status ->
                    status.statusCode()
                        == StreamsGroupHeartbeatResponse.Status.MISSING_INTERNAL_TOPICS.code())
            .findFirst()
            .orElseThrow();
    assertThat(missing.statusDetail())
        .contains("Creation failed: bad-counts-changelog", "no.such.config");
  }

  @Test
  void topologies_over_internal_or_impossible_topics_are_refused() {
    for (String source : List.of("__consumer_offsets", "a b")) {
      StreamsGroupHeartbeatResponseData refused = beat((short) 0, joining("app", source));
      assertThat(Errors.forCode(refused.errorCode()))
          .as(source)
          .isEqualTo(Errors.STREAMS_INVALID_TOPOLOGY);
      assertThat(refused.errorMessage()).contains(source);
    }
  }

  @Test
  void a_group_that_is_not_there_is_described_as_not_found() {
    for (short version = 0;
        version <= ApiKeys.STREAMS_GROUP_DESCRIBE.latestVersion(false);
        version++) {
      assertThat(Errors.forCode(describe(version, "nobody").errorCode()))
          .as("v%d", version)
          .isEqualTo(Errors.GROUP_ID_NOT_FOUND);
    }
  }

  @Test
  void descriptions_of_topologies_are_not_taken_without_a_place_for_them() {
    for (short version = 0;
        version <= ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE.latestVersion(false);
        version++) {
      StreamsGroupTopologyDescriptionUpdateRequestData asked =
          new StreamsGroupTopologyDescriptionUpdateRequestData()
              .setGroupId("app")
              .setMemberId("member")
              .setTopologyEpoch(0);
      assertThat(
              Errors.forCode(
                  server
                      .ask(
                          new StreamsGroupTopologyDescriptionUpdateRequest.Builder(asked)
                              .build(version),
                          StreamsGroupTopologyDescriptionUpdateResponse.class)
                      .data()
                      .errorCode()))
          .as("v%d", version)
          .isEqualTo(Errors.UNSUPPORTED_VERSION);
    }
  }

  private static int tasks(StreamsGroupHeartbeatResponseData answer) {
    return answer.activeTasks() == null
        ? 0
        : answer.activeTasks().stream().mapToInt(task -> task.partitions().size()).sum();
  }

  private static StreamsGroupHeartbeatRequestData joining(String group, String source) {
    TopicInfo changelog =
        new TopicInfo().setName(group + "-counts-changelog").setReplicationFactor((short) 1);
    changelog.topicConfigs().add(new KeyValue().setKey("cleanup.policy").setValue("compact"));
    Subtopology counts =
        new Subtopology()
            .setSubtopologyId("0")
            .setSourceTopics(List.of(source))
            .setStateChangelogTopics(List.of(changelog));
    return new StreamsGroupHeartbeatRequestData()
        .setGroupId(group)
        .setMemberId(group + "-member")
        .setMemberEpoch(0)
        .setProcessId("process")
        .setRebalanceTimeoutMs(60_000)
        .setActiveTasks(List.of())
        .setStandbyTasks(List.of())
        .setWarmupTasks(List.of())
        .setTopology(new Topology().setEpoch(1).setSubtopologies(List.of(counts)));
  }

  private static StreamsGroupHeartbeatRequestData staying(String group, int epoch) {
    return new StreamsGroupHeartbeatRequestData()
        .setGroupId(group)
        .setMemberId(group + "-member")
        .setMemberEpoch(epoch)
        .setActiveTasks(List.of())
        .setStandbyTasks(List.of())
        .setWarmupTasks(List.of());
  }

  private StreamsGroupHeartbeatResponseData beat(
      short version, StreamsGroupHeartbeatRequestData asked) {
    return server
        .ask(
            new StreamsGroupHeartbeatRequest.Builder(asked).build(version),
            StreamsGroupHeartbeatResponse.class)
        .data();
  }

  private DescribedGroup describe(short version, String group) {
    StreamsGroupDescribeRequestData asked =
        new StreamsGroupDescribeRequestData()
            .setGroupIds(List.of(group))
            .setIncludeAuthorizedOperations(true);
    return server
        .ask(
            new StreamsGroupDescribeRequest.Builder(asked).build(version),
            StreamsGroupDescribeResponse.class)
        .data()
        .groups()
        .get(0);
  }
}
