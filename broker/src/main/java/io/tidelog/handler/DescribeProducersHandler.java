package io.tidelog.handler;

import io.tidelog.producer.ActiveProducer;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DescribeProducersRequest;

/** DescribeProducers: what partitions remember of those who write with a producer id. */
final class DescribeProducersHandler implements RequestHandler {
  private static final long NO_OFFSET = -1;

  private final Topics topics;

  DescribeProducersHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    DescribeProducersResponseData response = new DescribeProducersResponseData();
    for (TopicRequest asked : request.body(DescribeProducersRequest.class).data().topics()) {
      TopicResponse topic = new TopicResponse().setName(asked.name());
      ApiError error = check(asked.name());
      asked
          .partitionIndexes()
          .forEach(index -> topic.partitions().add(partition(asked.name(), index, error)));
      response.topics().add(topic);
    }
    answer.complete(response);
  }

  private ApiError check(String topic) {
    try {
      Topic.validate(topic);
    } catch (InvalidTopicException e) {
      return ApiError.fromThrowable(e);
    }
    return topics.find(topic).isPresent()
        ? ApiError.NONE
        : new ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION);
  }

  private PartitionResponse partition(String topic, int index, ApiError error) {
    PartitionResponse response = new PartitionResponse().setPartitionIndex(index);
    if (error.isFailure()) {
      return response.setErrorCode(error.error().code()).setErrorMessage(error.message());
    }
    FoundPartition found = FoundPartition.named(topics, topic, index);
    if (!found.isUsable()) {
      return response.setErrorCode(found.error().code());
    }
    return response.setActiveProducers(
        found.log().activeProducers().stream().map(DescribeProducersHandler::row).toList());
  }

  private static ProducerState row(ActiveProducer producer) {
    return new ProducerState()
        .setProducerId(producer.producerId())
        .setProducerEpoch(producer.epoch())
        .setLastSequence(producer.lastSequence())
        .setLastTimestamp(producer.lastTimestampMs())
        .setCoordinatorEpoch(producer.coordinatorEpoch())
        .setCurrentTxnStartOffset(producer.transactionStart().orElse(NO_OFFSET));
  }
}
