package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import org.apache.kafka.common.errors.ControllerIdNotRegisteredException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.requests.UnregisterControllerRequest;

/** Strikes a controller off the list of controllers, where this node stands alone and remains. */
final class UnregisterControllerHandler implements RequestHandler {
  private final int nodeId;

  UnregisterControllerHandler(int nodeId) {
    this.nodeId = nodeId;
  }

  @Override
  public void handle(Request request, Answer answer) {
    int id = request.body(UnregisterControllerRequest.class).data().controllerId();
    answer.fail(
        id == nodeId
            ? new InvalidRequestException("Controller " + id + " is the only one and is running.")
            : new ControllerIdNotRegisteredException(
                "Controller ID " + id + " is not currently registered."));
  }
}
