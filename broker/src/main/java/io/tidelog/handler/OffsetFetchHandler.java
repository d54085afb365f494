package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.Groups.Stability;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;

/**
 * OffsetFetch, for one group (to v7) or several. Topics go to the coordinator under both name and
 * id, so that an offset committed to an earlier topic of the same name counts as none. An id that
 * is unknown gets UNKNOWN_TOPIC_ID; a name that is unknown simply has no offsets.
 */
final class OffsetFetchHandler implements RequestHandler {
  private final Groups groups;
  private final Topics topics;

  OffsetFetchHandler(Groups groups, Topics topics) {
    this.groups = groups;
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    OffsetFetchRequest asked = request.body(OffsetFetchRequest.class);
    List<CompletableFuture<OffsetFetchResponseGroup>> fetches = new ArrayList<>();
    for (OffsetFetchRequestGroup group : asked.groups()) {
      fetches.add(
          fetch(request, group)
              .exceptionally(
                  failure ->
                      OffsetFetchResponse.groupError(
                          group, Errors.forException(failure), request.version())));
    }
    CompletableFuture<List<OffsetFetchResponseGroup>> all =
        CompletableFuture.allOf(fetches.toArray(CompletableFuture<?>[]::new))
            .thenApply(done -> fetches.stream().map(CompletableFuture::join).toList());
    LaterAnswer.to(answer)
        .with(
            all,
            fetched -> new OffsetFetchResponse.Builder(fetched).build(request.version()).data());
  }

  private CompletableFuture<OffsetFetchResponseGroup> fetch(
      Request request, OffsetFetchRequestGroup group) {
    Stability stability =
        request.body(OffsetFetchRequest.class).requireStable()
            ? Stability.STABLE_OR_ERROR
            : Stability.LAST_COMMITTED;
    boolean byId = OffsetFetchRequest.useTopicIds(request.version());
    if (OffsetFetchRequest.requestAllOffsets(group)) {
      return groups
          .fetchOffsets(request, group, stability)
          .thenApply(fetched -> byId ? onlyWithIds(fetched) : fetched);
    }
    List<OffsetFetchRequestTopics> known = new ArrayList<>();
    List<OffsetFetchResponseTopics> unknown = new ArrayList<>();
    for (OffsetFetchRequestTopics wanted : group.topics()) {
      Optional<Topic> topic = byId ? topics.find(wanted.topicId()) : topics.find(wanted.name());
      if (byId && topic.isEmpty()) {
        unknown.add(unknownId(wanted));
      } else {
        known.add(named(wanted, topic));
      }
    }
    return groups
        .fetchOffsets(request, group.duplicate().setTopics(known), stability)
        .thenApply(fetched -> withUnknown(fetched, unknown));
  }

  private static OffsetFetchRequestTopics named(
      OffsetFetchRequestTopics wanted, Optional<Topic> topic) {
    return new OffsetFetchRequestTopics()
        .setName(topic.map(Topic::name).orElse(wanted.name()))
        .setTopicId(topic.map(Topic::id).orElse(Uuid.ZERO_UUID))
        .setPartitionIndexes(wanted.partitionIndexes());
  }

  private static OffsetFetchResponseTopics unknownId(OffsetFetchRequestTopics wanted) {
    return new OffsetFetchResponseTopics()
        .setTopicId(wanted.topicId())
        .setPartitions(
            wanted.partitionIndexes().stream()
                .map(
                    index ->
                        new OffsetFetchResponsePartitions()
                            .setPartitionIndex(index)
                            .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code())
                            .setCommittedOffset(OffsetFetchResponse.INVALID_OFFSET)
                            .setMetadata(OffsetFetchResponse.NO_METADATA))
                .toList());
  }

  private static OffsetFetchResponseGroup withUnknown(
      OffsetFetchResponseGroup fetched, List<OffsetFetchResponseTopics> unknown) {
    if (fetched.errorCode() == Errors.NONE.code()) {
      fetched.topics().addAll(unknown);
    }
    return fetched;
  }

  /** Leaves out topics that are gone; an offset that was committed without an id gets it now. */
  private OffsetFetchResponseGroup onlyWithIds(OffsetFetchResponseGroup fetched) {
    List<OffsetFetchResponseTopics> withIds = new ArrayList<>();
    for (OffsetFetchResponseTopics topic : fetched.topics()) {
      if (topic.topicId().equals(Uuid.ZERO_UUID)) {
        topics.find(topic.name()).ifPresent(found -> topic.setTopicId(found.id()));
      }
      if (!topic.topicId().equals(Uuid.ZERO_UUID)) {
        withIds.add(topic);
      }
    }
    return fetched.setTopics(withIds);
  }
}
