package io.tidelog.handler;

import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.PeerFaults;
import io.tidelog.protocol.Request;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceRequest;

/**
 * One request to produce. What may be written is written at once; a batch that begins a transaction
 * in its partition waits until the transaction coordinator has admitted it.
 *
 * <p>acks=0 gets no answer, and a closed connection where something failed. acks=1 and acks=all
 * mean the same on one node: the answer waits until the high watermark has passed the batch, which
 * is at once unless the topic asks for durability, and fails with REQUEST_TIMED_OUT after the
 * request's timeout.
 */
final class ProduceRun {
  private static final short FIRST_VERSION_WITH_TOPIC_IDS = 13;

  private final Request request;
  private final ProduceRequest produce;
  private final Answer answer;
  private final EngineErrors errors;
  private final PeerFaults faults;
  private final Transactions transactions;
  private final ProduceResponseData response = new ProduceResponseData();
  private final List<Unacknowledged> waiting = new ArrayList<>(0);
  private boolean failed;

  ProduceRun(
      Request request,
      Answer answer,
      EngineErrors errors,
      PeerFaults faults,
      Transactions transactions) {
    this.request = request;
    this.produce = request.body(ProduceRequest.class);
    this.answer = answer;
    this.errors = errors;
    this.faults = faults;
    this.transactions = transactions;
  }

  void start(Topics topics) {
    List<PartitionAppend> appends = appends(topics);
    try {
      TransactionalBatches.check(produce.data().transactionalId(), appends);
    } catch (ApiException refused) {
      refuse(refused);
      return;
    }
    List<PartitionAppend> held = new ArrayList<>(0);
    for (PartitionAppend append : appends) {
      append.run(produce.data(), request.version());
      if (append.isHeld()) {
        held.add(append);
      } else {
        note(append);
      }
    }
    if (held.isEmpty()) {
      finish();
    } else {
      new HeldAppends(request, transactions, held).whenDone(() -> goOn(held));
    }
  }

  /** What is to be appended, each with its row in the answer. */
  private List<PartitionAppend> appends(Topics topics) {
    List<PartitionAppend> appends = new ArrayList<>();
    for (TopicProduceData topic : produce.data().topicData()) {
      TopicProduceResponse answers = answerFor(topic);
      response.responses().add(answers);
      for (PartitionProduceData partition : topic.partitionData()) {
        FoundPartition found = find(topics, topic, partition.index());
        PartitionAppend append = new PartitionAppend(found, partition, errors);
        appends.add(append);
        answers.partitionResponses().add(append.response());
      }
    }
    return appends;
  }

  /** Nothing of it is appended. */
  private void refuse(ApiException refused) {
    faults.tell(
        request.peer(),
        Errors.forException(refused).name(),
        () -> request + " is refused: " + refused.getMessage());
    if (produce.acks() == 0) {
      answer.closeConnection();
    } else {
      answer.fail(refused);
    }
  }

  private void goOn(List<PartitionAppend> held) {
    held.forEach(this::note);
    finish();
  }

  private void note(PartitionAppend append) {
    PartitionProduceResponse outcome = append.response();
    if (produce.acks() != 0 && outcome.errorMessage() != null) {
      faults.tell(
          request.peer(),
          Errors.forCode(outcome.errorCode()).name(),
          () -> request + " for " + append + " is refused: " + outcome.errorMessage());
    }
    append.unacknowledged().ifPresent(waiting::add);
    failed |= outcome.errorCode() != Errors.NONE.code();
  }

  private void finish() {
    if (produce.acks() == 0) {
      answerNothing();
    } else if (waiting.isEmpty()) {
      answer.complete(response);
    } else {
      request.releaseBuffer();
      new AcknowledgementWait(waiting, errors, response, answer)
          .start(request.loop(), produce.data().timeoutMs());
    }
  }

  private FoundPartition find(Topics topics, TopicProduceData topic, int partition) {
    return request.version() < FIRST_VERSION_WITH_TOPIC_IDS
        ? FoundPartition.named(topics, topic.name(), partition)
        : FoundPartition.identified(topics, topic.topicId(), partition);
  }

  private static TopicProduceResponse answerFor(TopicProduceData topic) {
    return new TopicProduceResponse()
        .setName(topic.name())
        .setTopicId(topic.topicId())
        .setPartitionResponses(new ArrayList<>(topic.partitionData().size()));
  }

  private void answerNothing() {
    if (failed) {
      faults.tell(
          request.peer(),
          "acks=0",
          () ->
              request + " asked for no answer but failed (" + describe(response) + "): closing it");
      answer.closeConnection();
    } else {
      answer.none();
    }
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
