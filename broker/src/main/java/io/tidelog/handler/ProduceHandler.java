package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends what producers send: at most one batch for each partition, straight from the receive
 * buffer.
 *
 * <p>acks=0 gets no answer, and a closed connection where something failed. acks=1 and acks=all
 * mean the same on one node: the answer waits until the high watermark has passed the batch, which
 * is at once unless the topic asks for durability, and fails with REQUEST_TIMED_OUT after the
 * request's timeout.
 */
public final class ProduceHandler implements RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProduceHandler.class);
  private static final short FIRST_VERSION_WITH_TOPIC_IDS = 13;

  private final Topics topics;
  private final EngineErrors errors;

  public ProduceHandler(Topics topics) {
    this.topics = topics;
    this.errors = new EngineErrors(topics);
  }

  @Override
  public void handle(Request request, Answer answer) {
    ProduceRequest produce = request.body(ProduceRequest.class);
    ProduceResponseData response = new ProduceResponseData();
    List<Unacknowledged> waiting = new ArrayList<>(0);
    boolean failed = false;
    for (TopicProduceData topic : produce.data().topicData()) {
      TopicProduceResponse answers = answerFor(topic);
      response.responses().add(answers);
      for (PartitionProduceData partition : topic.partitionData()) {
        Found found = find(topic, partition.index(), request.version());
        PartitionAppend append = new PartitionAppend(found, partition, errors);
        append.run(produce.data(), request.version());
        if (produce.acks() != 0 && append.response().errorMessage() != null) {
          LOG.info(
              "{} for {}-{} is refused: {}",
              request,
              found.topic().name(),
              partition.index(),
              append.response().errorMessage());
        }
        append.unacknowledged().ifPresent(waiting::add);
        answers.partitionResponses().add(append.response());
        failed |= append.response().errorCode() != Errors.NONE.code();
      }
    }
    if (produce.acks() == 0) {
      answerNothing(request, answer, failed ? response : null);
    } else if (waiting.isEmpty()) {
      answer.complete(response);
    } else {
      request.releaseBuffer();
      new AcknowledgementWait(waiting, errors, response, answer)
          .start(request.loop(), produce.data().timeoutMs());
    }
  }

  private Found find(TopicProduceData topic, int partition, short version) {
    return version < FIRST_VERSION_WITH_TOPIC_IDS
        ? Found.named(topics, topic.name(), partition)
        : Found.identified(topics, topic.topicId(), partition);
  }

  private static TopicProduceResponse answerFor(TopicProduceData topic) {
    return new TopicProduceResponse()
        .setName(topic.name())
        .setTopicId(topic.topicId())
        .setPartitionResponses(new ArrayList<>(topic.partitionData().size()));
  }

  private static void answerNothing(Request request, Answer answer, ProduceResponseData failures) {
    if (failures == null) {
      answer.none();
      return;
    }
    LOG.info("{} asked for no answer but failed ({}): closing it", request, describe(failures));
    answer.closeConnection();
  }

  private static String describe(ProduceResponseData failures) {
    for (TopicProduceResponse topic : failures.responses()) {
      for (PartitionProduceResponse partition : topic.partitionResponses()) {
        if (partition.errorCode() != Errors.NONE.code()) {
          String name = topic.name().isEmpty() ? topic.topicId().toString() : topic.name();
          return Errors.forCode(partition.errorCode()) + " for " + name + "-" + partition.index();
        }
      }
    }
    return "";
  }
}
