package io.tidelog.handler;

import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.ProducerGrant;
import io.tidelog.coordinator.StartingProducer;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.record.RecordBatch;
import io.tidelog.topic.Topics;
import java.util.Optional;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.requests.InitProducerIdRequest;

/**
 * Gives producers their ids. One without transactions gets a new id with epoch 0, also if it has an
 * id already, as in Kafka; one with a transactional id gets what the coordinator grants it.
 */
final class InitProducerIdHandler implements RequestHandler {
  private static final short FIRST_EPOCH = 0;

  private final Topics topics;
  private final Transactions transactions;

  InitProducerIdHandler(Topics topics, Transactions transactions) {
    this.topics = topics;
    this.transactions = transactions;
  }

  @Override
  public void handle(Request request, Answer answer) {
    InitProducerIdRequestData asked = request.body(InitProducerIdRequest.class).data();
    if ((asked.producerId() == RecordBatch.NO_PRODUCER_ID)
        != (asked.producerEpoch() == RecordBatch.NO_PRODUCER_EPOCH)) {
      answer.fail(
          new InvalidRequestException("producer id and epoch must both be given, or neither"));
    } else if (asked.transactionalId() == null) {
      LaterAnswer.to(answer)
          .with(
              topics.nextProducerId(),
              id ->
                  new InitProducerIdResponseData().setProducerId(id).setProducerEpoch(FIRST_EPOCH));
    } else {
      LaterAnswer.to(answer)
          .with(
              transactions.start(
                  new StartingProducer(
                      asked.transactionalId(), asked.transactionTimeoutMs(), known(asked))),
              grant -> body(request, grant));
    }
  }

  private static Optional<ProducerClaim> known(InitProducerIdRequestData asked) {
    return asked.producerId() == RecordBatch.NO_PRODUCER_ID
        ? Optional.empty()
        : Optional.of(
            new ProducerClaim(asked.transactionalId(), asked.producerId(), asked.producerEpoch()));
  }

  private static InitProducerIdResponseData body(Request request, ProducerGrant grant) {
    return new InitProducerIdResponseData()
        .setErrorCode(FencedErrors.asKnownTo(request.body(), grant.error()).code())
        .setProducerId(grant.producerId())
        .setProducerEpoch(grant.producerEpoch());
  }
}
