package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.common.requests.SyncGroupRequest;

/**
 * JoinGroup, SyncGroup, Heartbeat and LeaveGroup of the classic protocol, ConsumerGroupHeartbeat of
 * the KIP-848 one: members come, stay and go. The coordinator makes the answer, on its own threads.
 */
final class GroupMembershipHandlers {
  private final Groups groups;

  GroupMembershipHandlers(Groups groups) {
    this.groups = groups;
  }

  void join(Request request, Answer answer) {
    LaterAnswer.to(answer)
        .with(
            groups.join(request, request.body(JoinGroupRequest.class).data()),
            joined -> new JoinGroupResponse(joined, request.version()).data());
  }

  void sync(Request request, Answer answer) {
    SyncGroupRequest asked = request.body(SyncGroupRequest.class);
    if (!asked.areMandatoryProtocolTypeAndNamePresent()) {
      answer.complete(asked.getErrorResponse(Errors.INCONSISTENT_GROUP_PROTOCOL.exception()));
      return;
    }
    LaterAnswer.to(answer).with(groups.sync(request, asked.data()));
  }

  void heartbeat(Request request, Answer answer) {
    LaterAnswer.to(answer)
        .with(groups.heartbeat(request, request.body(HeartbeatRequest.class).data()));
  }

  void leave(Request request, Answer answer) {
    LaterAnswer.to(answer)
        .with(
            groups.leave(request, request.body(LeaveGroupRequest.class).normalizedData()),
            left -> new LeaveGroupResponse(left, request.version()).data());
  }

  void consumerHeartbeat(Request request, Answer answer) {
    LaterAnswer.to(answer)
        .with(
            groups.consumerHeartbeat(
                request, request.body(ConsumerGroupHeartbeatRequest.class).data()));
  }
}
