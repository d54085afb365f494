package io.tidelog.handler;

import io.tidelog.topic.Topic;
import java.util.List;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;

/** Commits and fetches offsets of one group at one version. */
record Offsets(GroupServer server, String group, int version) {

  /** At the newest version that names topics by name. */
  static Offsets of(GroupServer server, String group) {
    return new Offsets(server, group, 9);
  }

  /** A commit by nobody in particular, of one partition. */
  Errors commit(Topic topic, int partition, long offset) {
    return commit(asNobody(topic, partition, offset));
  }

  /** A commit by a member. */
  Errors commit(ClassicMember member, Topic topic, int partition, long offset) {
    return commit(
        asNobody(topic, partition, offset)
            .setMemberId(member.id)
            .setGenerationIdOrMemberEpoch(member.generation));
  }

  Errors commit(OffsetCommitRequestData request) {
    OffsetCommitResponse answer = send(request);
    return Errors.forCode(answer.data().topics().get(0).partitions().get(0).errorCode());
  }

  OffsetCommitRequestData asNobody(Topic topic, int partition, long offset) {
    return new OffsetCommitRequestData()
        .setGroupId(group)
        .setTopics(List.of(topic(topic, partition, offset)));
  }

  static OffsetCommitRequestTopic topic(Topic topic, int partition, long offset) {
    return new OffsetCommitRequestTopic()
        .setName(topic.name())
        .setTopicId(topic.id())
        .setPartitions(
            List.of(
                new OffsetCommitRequestPartition()
                    .setPartitionIndex(partition)
                    .setCommittedOffset(offset)
                    .setCommittedMetadata("about " + offset)));
  }

  OffsetCommitResponse send(OffsetCommitRequestData request) {
    return server.ask(
        OffsetCommitRequest.Builder.forTopicIdsOrNames(request)
            .build(ClassicMember.nearest(ApiKeys.OFFSET_COMMIT, version)),
        OffsetCommitResponse.class);
  }

  /** The committed offset of one partition, -1 if none. */
  long committed(Topic topic, int partition) {
    OffsetFetchResponsePartitions found =
        fetch(List.of(wanted(topic, partition))).group(group).topics().get(0).partitions().get(0);
    return found.errorCode() == Errors.NONE.code() ? found.committedOffset() : Long.MIN_VALUE;
  }

  static OffsetFetchRequestTopics wanted(Topic topic, int partition) {
    return new OffsetFetchRequestTopics()
        .setName(topic.name())
        .setTopicId(topic.id())
        .setPartitionIndexes(List.of(partition));
  }

  /** Fetches these topics, or all if null. */
  OffsetFetchResponse fetch(List<OffsetFetchRequestTopics> topics) {
    return fetchGroups(List.of(new OffsetFetchRequestGroup().setGroupId(group).setTopics(topics)));
  }

  OffsetFetchResponse fetchGroups(List<OffsetFetchRequestGroup> groups) {
    short at = ClassicMember.nearest(ApiKeys.OFFSET_FETCH, version);
    return server.ask(
        OffsetFetchRequest.Builder.forTopicIdsOrNames(
                new OffsetFetchRequestData().setGroups(groups).setRequireStable(at >= 7), false)
            .build(at),
        OffsetFetchResponse.class);
  }
}
