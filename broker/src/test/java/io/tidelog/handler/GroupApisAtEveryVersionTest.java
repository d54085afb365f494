package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupDescribeRequest;
import org.apache.kafka.common.requests.ConsumerGroupDescribeResponse;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteGroupsResponse;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupApisAtEveryVersionTest {
  private static final int NEWEST_OF_ANY = 10;
  private static final String GROUP = "group";

  @TempDir Path directory;
  private GroupServer server;
  private Topic topic;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory);
    topic = server.createTopic("topic", 2);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void all_stable_versions_of_kafkas_messages_are_offered() {
    for (ApiKeys api : GroupServer.groupApis()) {
      assertThat(server.apis().offers(api, api.oldestVersion())).as(api.name).isTrue();
      assertThat(server.apis().offers(api, api.latestVersion(false))).as(api.name).isTrue();
      assertThat(api.latestVersion(false)).as(api.name).isLessThanOrEqualTo((short) NEWEST_OF_ANY);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, NEWEST_OF_ANY})
  void a_classic_group_lives_from_its_first_member_to_its_deletion(int version) {
    findCoordinator(version);
    ClassicMember member = ClassicMember.atVersion(server, GROUP, version);
    assertThat(member.join().error()).isEqualTo(Errors.NONE);
    assertThat(member.leads()).isTrue();
    assertThat(member.generation).isEqualTo(1);
    assertThat(ClassicMember.text(member.sync(Map.of(member.id, "all")))).isEqualTo("all");
    assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    commitsAndFetches(member, version);
    describe(version, member);
    assertThat(list(version)).extracting(ListedGroup::groupId).containsExactly(GROUP);
    assertThat(delete(version)).isEqualTo(Errors.NON_EMPTY_GROUP);
    assertThat(member.leave().error()).isEqualTo(Errors.NONE);
    assertThat(member.heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    assertThat(delete(version)).isEqualTo(Errors.NONE);
    assertThat(list(version)).isEmpty();
  }

  private void findCoordinator(int version) {
    short at = ClassicMember.nearest(ApiKeys.FIND_COORDINATOR, version);
    FindCoordinatorResponse answer =
        server.ask(
            new FindCoordinatorRequest.Builder(
                    at < 4
                        ? new FindCoordinatorRequestData().setKey(GROUP)
                        : new FindCoordinatorRequestData().setCoordinatorKeys(List.of(GROUP, "b")))
                .build(at),
            FindCoordinatorResponse.class);
    assertThat(answer.coordinators())
        .hasSize(at < 4 ? 1 : 2)
        .extracting(Coordinator::host, Coordinator::port, Coordinator::nodeId)
        .containsOnly(
            tuple("127.0.0.1", GroupServer.ADDRESS.getPort(), server.topics.node().nodeId()));
    assertThat(answer.coordinators())
        .extracting(Coordinator::errorCode)
        .containsOnly(Errors.NONE.code());
  }

  private void commitsAndFetches(ClassicMember member, int version) {
    Offsets offsets = new Offsets(server, GROUP, version);
    assertThat(offsets.commit(member, topic, 1, 42)).isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 1)).isEqualTo(42);
    assertThat(offsets.committed(topic, 0)).isEqualTo(-1);
    if (version >= 2) {
      List<OffsetFetchResponseTopics> all = offsets.fetch(null).group(GROUP).topics();
      assertThat(all).hasSize(1);
      assertThat(all.get(0).name()).isEqualTo(version < 10 ? "topic" : "");
      assertThat(all.get(0).topicId()).isEqualTo(version < 10 ? Uuid.ZERO_UUID : topic.id());
      assertThat(all.get(0).partitions().get(0).committedOffset()).isEqualTo(42);
      assertThat(all.get(0).partitions().get(0).metadata()).isEqualTo("about 42");
    }
  }

  private void describe(int version, ClassicMember member) {
    short at = ClassicMember.nearest(ApiKeys.DESCRIBE_GROUPS, version);
    List<DescribedGroup> groups =
        server
            .ask(
                new DescribeGroupsRequest.Builder(
                        new DescribeGroupsRequestData()
                            .setGroups(List.of(GROUP, "nobody"))
                            .setIncludeAuthorizedOperations(at >= 3))
                    .build(at),
                DescribeGroupsResponse.class)
            .data()
            .groups();
    DescribedGroup group =
        groups.stream().filter(g -> g.groupId().equals(GROUP)).findFirst().orElseThrow();
    assertThat(group.groupState()).isEqualTo("Stable");
    assertThat(group.protocolData()).isEqualTo(ClassicMember.PROTOCOL);
    assertThat(group.members()).singleElement().matches(m -> m.memberId().equals(member.id));
    assertThat(group.members().get(0).memberAssignment()).asString().isEqualTo("all");
    assertThat(group.authorizedOperations())
        .isEqualTo(at < 3 ? Integer.MIN_VALUE : AllOperations.ON_GROUP);
    DescribedGroup nobody =
        groups.stream().filter(g -> g.groupId().equals("nobody")).findFirst().orElseThrow();
    assertThat(nobody.groupState()).isEqualTo("Dead");
    assertThat(Errors.forCode(nobody.errorCode()))
        .isEqualTo(at < 6 ? Errors.NONE : Errors.GROUP_ID_NOT_FOUND);
  }

  private List<ListedGroup> list(int version) {
    return server
        .ask(
            new ListGroupsRequest.Builder(new ListGroupsRequestData())
                .build(ClassicMember.nearest(ApiKeys.LIST_GROUPS, version)),
            ListGroupsResponse.class)
        .data()
        .groups();
  }

  private Errors delete(int version) {
    return server
        .ask(
            new DeleteGroupsRequest.Builder(
                    new DeleteGroupsRequestData().setGroupsNames(List.of(GROUP, GROUP)))
                .build(ClassicMember.nearest(ApiKeys.DELETE_GROUPS, version)),
            DeleteGroupsResponse.class)
        .get(GROUP);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_consumer_group_gives_its_member_the_partitions_it_asks_for(int version) {
    String member = version == 0 ? "" : Uuid.randomUuid().toString();
    ConsumerGroupHeartbeatRequestData join =
        new ConsumerGroupHeartbeatRequestData()
            .setGroupId(GROUP)
            .setMemberId(member)
            .setMemberEpoch(0)
            .setRebalanceTimeoutMs(30_000)
            .setSubscribedTopicNames(List.of("topic"))
            .setTopicPartitions(List.of());
    ConsumerGroupHeartbeatResponse joined = heartbeat(join, version);
    assertThat(joined.data().errorMessage()).isNull();
    assertThat(joined.data().memberEpoch()).isPositive();
    assertThat(joined.data().assignment().topicPartitions())
        .singleElement()
        .matches(t -> t.topicId().equals(topic.id()) && t.partitions().equals(List.of(0, 1)));

    ConsumerGroupDescribeResponseData.DescribedGroup group = describeConsumer(version);
    assertThat(Errors.forCode(group.errorCode())).isEqualTo(Errors.NONE);
    assertThat(group.groupState()).isIn("Stable", "Reconciling");
    assertThat(group.authorizedOperations()).isEqualTo(AllOperations.ON_GROUP);
    assertThat(group.members())
        .singleElement()
        .matches(m -> m.memberId().equals(joined.data().memberId()));

    ConsumerGroupHeartbeatResponse left =
        heartbeat(
            new ConsumerGroupHeartbeatRequestData()
                .setGroupId(GROUP)
                .setMemberId(joined.data().memberId())
                .setMemberEpoch(-1),
            version);
    assertThat(left.data().memberEpoch()).isEqualTo(-1);
    assertThat(describeConsumer(version).members()).isEmpty();
  }

  private ConsumerGroupHeartbeatResponse heartbeat(
      ConsumerGroupHeartbeatRequestData request, int version) {
    return server.ask(
        new ConsumerGroupHeartbeatRequest.Builder(request).build((short) version),
        ConsumerGroupHeartbeatResponse.class);
  }

  private ConsumerGroupDescribeResponseData.DescribedGroup describeConsumer(int version) {
    return server
        .ask(
            new ConsumerGroupDescribeRequest.Builder(
                    new ConsumerGroupDescribeRequestData()
                        .setGroupIds(List.of(GROUP))
                        .setIncludeAuthorizedOperations(true))
                .build((short) version),
            ConsumerGroupDescribeResponse.class)
        .data()
        .groups()
        .get(0);
  }
}
