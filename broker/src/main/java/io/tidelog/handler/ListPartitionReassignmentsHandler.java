package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;

/** Lists the partitions that are on the move: on one node, none ever is. */
final class ListPartitionReassignmentsHandler implements RequestHandler {
  @Override
  public void handle(Request request, Answer answer) {
    answer.complete(new ListPartitionReassignmentsResponseData());
  }
}
