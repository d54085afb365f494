package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.requests.InitProducerIdRequest;

/**
 * Gives ids to idempotent producers, each with epoch 0. A producer that has an id already gets a
 * new one all the same, as in Kafka. Transactional ids are refused: there are no transactions.
 */
public final class InitProducerIdHandler implements RequestHandler {
  private static final long NO_ID = -1;
  private static final short NO_EPOCH = -1;
  private static final short FIRST_EPOCH = 0;

  private final Topics topics;

  public InitProducerIdHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    InitProducerIdRequestData asked = request.body(InitProducerIdRequest.class).data();
    if ((asked.producerId() == NO_ID) != (asked.producerEpoch() == NO_EPOCH)) {
      answer.fail(
          new InvalidRequestException("producer id and epoch must both be given, or neither"));
    } else if (asked.transactionalId() == null) {
      LaterAnswer.to(answer)
          .with(
              topics.nextProducerId(),
              id ->
                  new InitProducerIdResponseData().setProducerId(id).setProducerEpoch(FIRST_EPOCH));
    } else if (asked.transactionalId().isEmpty()) {
      answer.fail(new InvalidRequestException("the transactional id is empty"));
    } else {
      answer.fail(new UnsupportedVersionException("this broker does not offer transactions"));
    }
  }
}
