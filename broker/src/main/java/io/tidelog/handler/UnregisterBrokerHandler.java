package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.requests.UnregisterBrokerRequest;

/**
 * Strikes a broker off the list of brokers. There is no other one than this; and this one, unlike
 * Kafka's, does not take all partitions from itself while it runs.
 */
final class UnregisterBrokerHandler implements RequestHandler {
  private final int nodeId;

  UnregisterBrokerHandler(int nodeId) {
    this.nodeId = nodeId;
  }

  @Override
  public void handle(Request request, Answer answer) {
    int id = request.body(UnregisterBrokerRequest.class).data().brokerId();
    answer.fail(
        id == nodeId
            ? new InvalidRequestException("Broker " + id + " is the only one and is running.")
            : new BrokerIdNotRegisteredException(
                "Broker ID " + id + " is not currently registered"));
  }
}
