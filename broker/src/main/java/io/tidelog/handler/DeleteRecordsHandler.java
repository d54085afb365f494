package io.tidelog.handler;

import io.tidelog.log.PartitionLog;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteRecordsRequest;

/**
 * Moves the start of logs up. The answer comes when the new start is on disk, so it holds after a
 * crash too.
 */
public final class DeleteRecordsHandler implements RequestHandler {
  private static final long NO_LOW_WATERMARK = -1;

  private final Topics topics;
  private final EngineErrors errors;
  private final Executor diskWork;

  /**
   * @param diskWork runs what waits for a disk
   */
  public DeleteRecordsHandler(Topics topics, Executor diskWork) {
    this.topics = topics;
    this.errors = new EngineErrors(topics);
    this.diskWork = diskWork;
  }

  @Override
  public void handle(Request request, Answer answer) {
    DeleteRecordsRequestData asked = request.body(DeleteRecordsRequest.class).data();
    Background.answer(diskWork, answer, () -> answer.complete(respond(asked)));
  }

  private DeleteRecordsResponseData respond(DeleteRecordsRequestData asked) {
    DeleteRecordsResponseData response = new DeleteRecordsResponseData();
    for (DeleteRecordsTopic topic : asked.topics()) {
      DeleteRecordsTopicResult results = new DeleteRecordsTopicResult().setName(topic.name());
      response.topics().add(results);
      for (DeleteRecordsPartition partition : topic.partitions()) {
        results.partitions().add(delete(topic.name(), partition));
      }
    }
    return response;
  }

  private DeleteRecordsPartitionResult delete(String topic, DeleteRecordsPartition partition) {
    DeleteRecordsPartitionResult result =
        new DeleteRecordsPartitionResult()
            .setPartitionIndex(partition.partitionIndex())
            .setLowWatermark(NO_LOW_WATERMARK);
    FoundPartition found = FoundPartition.named(topics, topic, partition.partitionIndex());
    if (!found.isUsable()) {
      return result.setErrorCode(found.error().code());
    }
    try {
      Errors refusal = refusal(found);
      if (refusal != Errors.NONE) {
        return result.setErrorCode(refusal.code());
      }
      advance(found.log(), partition.offset());
      return result.setLowWatermark(found.log().view().start());
    } catch (IOException | RuntimeException thrown) {
      return result.setErrorCode(errors.of(thrown, found).code());
    }
  }

  private static Errors refusal(FoundPartition found) {
    if (found.topic().isInternal()) {
      return Errors.INVALID_TOPIC_EXCEPTION;
    }
    boolean compactsOnly = found.log().settings().compacts() && !found.log().settings().deletes();
    return compactsOnly ? Errors.POLICY_VIOLATION : Errors.NONE;
  }

  private static void advance(PartitionLog log, long offset) throws IOException {
    if (offset < DeleteRecordsRequest.HIGH_WATERMARK) {
      throw Errors.OFFSET_OUT_OF_RANGE.exception();
    }
    log.advanceStart(
        offset == DeleteRecordsRequest.HIGH_WATERMARK ? log.view().highWatermark() : offset);
  }
}
