package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.requests.DescribeClientQuotasRequest;

/** Tells which client quotas are set, of the entities that a filter lets through. */
final class DescribeClientQuotasHandler implements RequestHandler {
  private final Topics topics;

  DescribeClientQuotasHandler(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    DescribeClientQuotasRequest asked = request.body(DescribeClientQuotasRequest.class);
    try {
      answer.complete(topics.image().clientQuotas().describe(asked.data()));
    } catch (ApiException refused) {
      answer.fail(refused);
    }
  }
}
