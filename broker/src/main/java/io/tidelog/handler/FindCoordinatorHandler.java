package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;

/**
 * FindCoordinator: this broker coordinates every group and every transaction. The first one that
 * asks waits until the coordinator runs, instead of being told to try again.
 *
 * <p>Share groups are not offered: their keys get INVALID_REQUEST, on which a client gives up at
 * once with the message, while COORDINATOR_NOT_AVAILABLE would have it try until its timeout.
 */
final class FindCoordinatorHandler implements RequestHandler {
  private static final int FIRST_VERSION_WITH_KEYS = 4;
  private static final int NO_NODE = -1;

  private final Coordinators coordinators;
  private final int nodeId;
  private final AdvertisedAddress address;

  FindCoordinatorHandler(Coordinators coordinators, int nodeId, AdvertisedAddress address) {
    this.coordinators = coordinators;
    this.nodeId = nodeId;
    this.address = address;
  }

  @Override
  public void handle(Request request, Answer answer) {
    FindCoordinatorRequestData asked = request.body(FindCoordinatorRequest.class).data();
    Optional<CompletableFuture<Void>> ready = coordinators.ready(asked.keyType());
    if (ready.isEmpty()) {
      answer.complete(answer(request, refusal(asked.keyType())));
      return;
    }
    CompletableFuture<Coordinator> found =
        ready.get().handle((done, failure) -> failure == null ? here(request) : unable(failure));
    LaterAnswer.to(answer).with(found, coordinator -> answer(request, coordinator));
  }

  private Coordinator here(Request request) {
    InetSocketAddress advertised = address.of(request.peer());
    return new Coordinator()
        .setNodeId(nodeId)
        .setHost(advertised.getHostString())
        .setPort(advertised.getPort());
  }

  private static Coordinator refusal(byte keyType) {
    String wanted =
        keyType == CoordinatorType.SHARE.id()
            ? "Share groups are"
            : "Coordinators of type " + keyType + " are";
    return nowhere(Errors.INVALID_REQUEST, wanted + " not offered by this broker.");
  }

  private static Coordinator unable(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return nowhere(Errors.COORDINATOR_NOT_AVAILABLE, cause.getMessage());
  }

  private static Coordinator nowhere(Errors error, String message) {
    return new Coordinator()
        .setErrorCode(error.code())
        .setErrorMessage(message)
        .setNodeId(NO_NODE)
        .setHost("")
        .setPort(NO_NODE);
  }

  private static FindCoordinatorResponseData answer(Request request, Coordinator coordinator) {
    FindCoordinatorRequestData asked = request.body(FindCoordinatorRequest.class).data();
    if (request.version() >= FIRST_VERSION_WITH_KEYS) {
      List<Coordinator> all =
          asked.coordinatorKeys().stream().map(key -> coordinator.duplicate().setKey(key)).toList();
      return new FindCoordinatorResponseData().setCoordinators(all);
    }
    return new FindCoordinatorResponseData()
        .setErrorCode(coordinator.errorCode())
        .setErrorMessage(coordinator.errorMessage())
        .setNodeId(coordinator.nodeId())
        .setHost(coordinator.host())
        .setPort(coordinator.port());
  }
}
