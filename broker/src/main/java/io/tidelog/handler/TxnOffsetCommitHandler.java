package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;

/**
 * TxnOffsetCommit: offsets that count once the transaction is committed. What exists goes to the
 * group coordinator, as in {@link OffsetCommitHandler}; from v5 on that partition of {@code
 * __consumer_offsets} becomes part of the transaction by it.
 */
final class TxnOffsetCommitHandler implements RequestHandler {
  private static final int FIRST_VERSION_WITH_LOADING = 2;

  private final Groups groups;
  private final Topics topics;

  TxnOffsetCommitHandler(Groups groups, Topics topics) {
    this.groups = groups;
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    TxnOffsetCommitRequestData asked = request.body(TxnOffsetCommitRequest.class).data();
    boolean byId = TxnOffsetCommitResponse.useTopicIds(request.version());
    TxnOffsetCommitResponse.Builder response = TxnOffsetCommitResponse.newBuilder(byId);
    List<TxnOffsetCommitRequestTopic> known = new ArrayList<>();
    for (TxnOffsetCommitRequestTopic wanted : asked.topics()) {
      Optional<Topic> topic = byId ? topics.find(wanted.topicId()) : topics.find(wanted.name());
      if (topic.isEmpty()) {
        response.addPartitions(
            wanted.topicId(),
            wanted.name(),
            wanted.partitions(),
            TxnOffsetCommitRequestPartition::partitionIndex,
            byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
      } else {
        TxnOffsetCommitRequestTopic existing = existing(wanted, topic.get(), response);
        if (!existing.partitions().isEmpty()) {
          known.add(existing);
        }
      }
    }
    if (known.isEmpty()) {
      answer.complete(response.build());
      return;
    }
    LaterAnswer.to(answer)
        .with(
            groups.commitTransactionalOffsets(request, asked.duplicate().setTopics(known)),
            committed -> asKnownTo(request.version(), response.merge(committed).build()).data());
  }

  private static TxnOffsetCommitRequestTopic existing(
      TxnOffsetCommitRequestTopic wanted, Topic topic, TxnOffsetCommitResponse.Builder response) {
    TxnOffsetCommitRequestTopic existing =
        new TxnOffsetCommitRequestTopic().setTopicId(topic.id()).setName(topic.name());
    for (TxnOffsetCommitRequestPartition partition : wanted.partitions()) {
      if (topic.partition(partition.partitionIndex()).isPresent()) {
        existing.partitions().add(partition);
      } else {
        response.addPartition(
            topic.id(),
            topic.name(),
            partition.partitionIndex(),
            Errors.UNKNOWN_TOPIC_OR_PARTITION);
      }
    }
    return existing;
  }

  /** Old clients do not know that a coordinator may be loading. */
  private static TxnOffsetCommitResponse asKnownTo(
      short version, TxnOffsetCommitResponse response) {
    if (version < FIRST_VERSION_WITH_LOADING) {
      response.data().topics().stream()
          .flatMap(topic -> topic.partitions().stream())
          .filter(row -> row.errorCode() == Errors.COORDINATOR_LOAD_IN_PROGRESS.code())
          .forEach(row -> row.setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code()));
    }
    return response;
  }
}
