package io.tidelog.handler;

import io.tidelog.log.EpochEnd;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;

/**
 * Tells where leader epochs end, by which a client notices that a log was cut behind its back. An
 * epoch that the log does not know is answered with epoch and offset -1.
 */
public final class OffsetForLeaderEpochHandler implements RequestHandler {
  private final Topics topics;
  private final EngineErrors errors;

  public OffsetForLeaderEpochHandler(Topics topics) {
    this.topics = topics;
    this.errors = new EngineErrors(topics);
  }

  @Override
  public void handle(Request request, Answer answer) {
    OffsetForLeaderEpochResponseData response = new OffsetForLeaderEpochResponseData();
    for (OffsetForLeaderTopic topic :
        request.body(OffsetsForLeaderEpochRequest.class).data().topics()) {
      OffsetForLeaderTopicResult results = new OffsetForLeaderTopicResult().setTopic(topic.topic());
      response.topics().add(results);
      for (OffsetForLeaderPartition partition : topic.partitions()) {
        results.partitions().add(endOfEpoch(topic.topic(), partition));
      }
    }
    answer.complete(response);
  }

  private EpochEndOffset endOfEpoch(String topic, OffsetForLeaderPartition asked) {
    EpochEndOffset answer = new EpochEndOffset().setPartition(asked.partition());
    FoundPartition found =
        FoundPartition.named(topics, topic, asked.partition())
            .checkEpoch(asked.currentLeaderEpoch());
    if (!found.isUsable()) {
      return answer.setErrorCode(found.error().code());
    }
    try {
      EpochEnd end = found.log().endOfEpoch(asked.leaderEpoch());
      return answer.setLeaderEpoch(end.epoch()).setEndOffset(end.endOffset());
    } catch (RuntimeException thrown) {
      return answer.setErrorCode(errors.of(thrown, found).code());
    }
  }
}
