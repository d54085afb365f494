package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import java.util.List;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupDescribeRequest;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsRequest;

/** DescribeGroups, ConsumerGroupDescribe, ListGroups and DeleteGroups. */
final class GroupAdminHandlers {
  private final Groups groups;

  GroupAdminHandlers(Groups groups) {
    this.groups = groups;
  }

  void describeClassic(Request request, Answer answer) {
    DescribeGroupsRequestData asked = request.body(DescribeGroupsRequest.class).data();
    LaterAnswer.to(answer)
        .with(
            groups.describeClassic(request, asked.groups()),
            described -> {
              if (asked.includeAuthorizedOperations()) {
                described.stream()
                    .filter(group -> group.errorCode() == Errors.NONE.code())
                    .forEach(group -> group.setAuthorizedOperations(AllOperations.ON_GROUP));
              }
              return new DescribeGroupsResponseData().setGroups(described);
            });
  }

  void describeConsumer(Request request, Answer answer) {
    ConsumerGroupDescribeRequestData asked =
        request.body(ConsumerGroupDescribeRequest.class).data();
    LaterAnswer.to(answer)
        .with(
            groups.describeConsumer(request, asked.groupIds()),
            described -> {
              if (asked.includeAuthorizedOperations()) {
                described.stream()
                    .filter(group -> group.errorCode() == Errors.NONE.code())
                    .forEach(group -> group.setAuthorizedOperations(AllOperations.ON_GROUP));
              }
              return new ConsumerGroupDescribeResponseData().setGroups(described);
            });
  }

  void list(Request request, Answer answer) {
    LaterAnswer.to(answer).with(groups.list(request, request.body(ListGroupsRequest.class).data()));
  }

  void delete(Request request, Answer answer) {
    List<String> names =
        request.body(DeleteGroupsRequest.class).data().groupsNames().stream().distinct().toList();
    LaterAnswer.to(answer)
        .with(
            groups.delete(request, names),
            results -> new DeleteGroupsResponseData().setResults(results));
  }
}
