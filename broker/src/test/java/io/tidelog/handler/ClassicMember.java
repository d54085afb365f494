package io.tidelog.handler;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.LeaveGroupRequest;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.requests.SyncGroupResponse;

/** A member of a classic group, as a client of one age would act: request by request. */
final class ClassicMember {
  static final int SESSION_TIMEOUT_MS = 10_000;
  static final int REBALANCE_TIMEOUT_MS = 30_000;
  static final String PROTOCOL = "range";

  private final GroupServer server;
  private final String group;
  private final String instance;
  private final int version;
  int sessionTimeoutMs = SESSION_TIMEOUT_MS;
  List<String> topics = List.of("topic");
  String id = "";
  int generation = -1;
  String leader = "";

  private ClassicMember(GroupServer server, String group, String instance, int version) {
    this.server = server;
    this.group = group;
    this.instance = instance;
    this.version = version;
  }

  /** A member of today. */
  static ClassicMember of(GroupServer server, String group) {
    return new ClassicMember(server, group, null, Short.MAX_VALUE);
  }

  /** A member of today that is the same whenever it comes back (group.instance.id). */
  static ClassicMember fixed(GroupServer server, String group, String instance) {
    return new ClassicMember(server, group, instance, Short.MAX_VALUE);
  }

  /** A member that speaks this version of each API, or the nearest that there is. */
  static ClassicMember atVersion(GroupServer server, String group, int version) {
    return new ClassicMember(server, group, null, version);
  }

  static short nearest(ApiKeys api, int version) {
    return (short) Math.max(api.oldestVersion(), Math.min(api.latestVersion(false), version));
  }

  /** The same member, talking to the server after a restart. */
  ClassicMember movedTo(GroupServer restarted) {
    ClassicMember moved = new ClassicMember(restarted, group, instance, version);
    moved.topics = topics;
    moved.id = id;
    moved.generation = generation;
    moved.leader = leader;
    return moved;
  }

  /** Asks to join; a first answer that only gives the member its id is followed by a second try. */
  CompletableFuture<JoinGroupResponse> startJoining() {
    return sendJoin()
        .thenCompose(
            answer -> {
              if (answer.error() == Errors.MEMBER_ID_REQUIRED) {
                id = answer.data().memberId();
                return sendJoin();
              }
              return CompletableFuture.completedFuture(answer);
            })
        .thenApply(this::noteJoined);
  }

  private CompletableFuture<JoinGroupResponse> sendJoin() {
    JoinGroupRequestProtocolCollection protocols = new JoinGroupRequestProtocolCollection();
    protocols.add(new JoinGroupRequestProtocol().setName(PROTOCOL).setMetadata(subscription()));
    return server.send(
        new JoinGroupRequest.Builder(
                new JoinGroupRequestData()
                    .setGroupId(group)
                    .setMemberId(id)
                    .setGroupInstanceId(instance)
                    .setProtocolType("consumer")
                    .setSessionTimeoutMs(sessionTimeoutMs)
                    .setRebalanceTimeoutMs(REBALANCE_TIMEOUT_MS)
                    .setProtocols(protocols))
            .build(nearest(ApiKeys.JOIN_GROUP, version)),
        JoinGroupResponse.class);
  }

  private byte[] subscription() {
    ByteBuffer written = ConsumerProtocol.serializeSubscription(new Subscription(topics));
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return bytes;
  }

  private JoinGroupResponse noteJoined(JoinGroupResponse answer) {
    if (answer.error() == Errors.NONE) {
      id = answer.data().memberId();
      generation = answer.data().generationId();
      leader = answer.data().leader();
    }
    return answer;
  }

  JoinGroupResponse join() {
    return server.join(startJoining());
  }

  boolean leads() {
    return id.equals(leader);
  }

  /** Gets this member's assignment; a leader brings everybody's, by member id. */
  CompletableFuture<SyncGroupResponse> startSync(Map<String, String> assignments) {
    List<SyncGroupRequestAssignment> given =
        assignments.entrySet().stream()
            .map(
                entry ->
                    new SyncGroupRequestAssignment()
                        .setMemberId(entry.getKey())
                        .setAssignment(bytes(entry.getValue())))
            .toList();
    return server.send(
        new SyncGroupRequest.Builder(
                new SyncGroupRequestData()
                    .setGroupId(group)
                    .setMemberId(id)
                    .setGroupInstanceId(instance)
                    .setGenerationId(generation)
                    .setProtocolType("consumer")
                    .setProtocolName(PROTOCOL)
                    .setAssignments(given))
            .build(nearest(ApiKeys.SYNC_GROUP, version)),
        SyncGroupResponse.class);
  }

  SyncGroupResponse sync(Map<String, String> assignments) {
    return server.join(startSync(assignments));
  }

  /** Joins and syncs as the only member; its assignment is "all". */
  ClassicMember joinAlone() {
    join();
    sync(Map.of(id, "all"));
    return this;
  }

  Errors heartbeat() {
    return server
        .ask(
            new HeartbeatRequest.Builder(
                    new HeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId(id)
                        .setGroupInstanceId(instance)
                        .setGenerationId(generation))
                .build(nearest(ApiKeys.HEARTBEAT, version)),
            HeartbeatResponse.class)
        .error();
  }

  LeaveGroupResponse leave() {
    return leave(new MemberIdentity().setMemberId(id).setGroupInstanceId(instance));
  }

  LeaveGroupResponse leave(MemberIdentity who) {
    return server.ask(
        new LeaveGroupRequest.Builder(group, List.of(who))
            .build(nearest(ApiKeys.LEAVE_GROUP, version)),
        LeaveGroupResponse.class);
  }

  static String text(SyncGroupResponse answer) {
    return new String(answer.data().assignment(), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
