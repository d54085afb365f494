package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddRaftVoterRequestData;
import org.apache.kafka.common.message.AddRaftVoterResponseData;
import org.apache.kafka.common.message.RemoveRaftVoterRequestData;
import org.apache.kafka.common.message.RemoveRaftVoterResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddRaftVoterRequest;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.RemoveRaftVoterRequest;

/**
 * Changes of who keeps the metadata log. The set of voters is this node and fixed, as in a Kafka
 * whose kraft.version is 0, and so are the answers.
 */
final class RaftVoterHandlers {
  private final String clusterId;

  RaftVoterHandlers(String clusterId) {
    this.clusterId = clusterId;
  }

  RequestHandler adding() {
    return this::add;
  }

  RequestHandler removing() {
    return this::remove;
  }

  private void add(Request request, Answer answer) {
    AddRaftVoterRequestData asked = request.body(AddRaftVoterRequest.class).data();
    Voter voter = new Voter(asked.clusterId(), asked.voterId(), asked.voterDirectoryId());
    ApiError error = refuse(voter, "Add", "adding");
    answer.complete(
        new AddRaftVoterResponseData()
            .setErrorCode(error.error().code())
            .setErrorMessage(error.message()));
  }

  private void remove(Request request, Answer answer) {
    RemoveRaftVoterRequestData asked = request.body(RemoveRaftVoterRequest.class).data();
    Voter voter = new Voter(asked.clusterId(), asked.voterId(), asked.voterDirectoryId());
    ApiError error = refuse(voter, "Remove", "removing");
    answer.complete(
        new RemoveRaftVoterResponseData()
            .setErrorCode(error.error().code())
            .setErrorMessage(error.message()));
  }

  private record Voter(String clusterId, int id, Uuid directoryId) {}

  private ApiError refuse(Voter voter, String verb, String doing) {
    if (voter.clusterId != null && !voter.clusterId.equals(clusterId)) {
      return new ApiError(
          Errors.INCONSISTENT_CLUSTER_ID,
          "The given id \"%s\" doesn't match the cluster id \"%s\""
              .formatted(voter.clusterId, clusterId));
    }
    if (voter.id < 0 || voter.directoryId.equals(Uuid.ZERO_UUID)) {
      return new ApiError(
          Errors.INVALID_REQUEST, verb + " voter request didn't include a valid voter");
    }
    return new ApiError(
        Errors.UNSUPPORTED_VERSION,
        "Cluster doesn't support " + doing + " voter because the kraft.version feature is 0");
  }
}
