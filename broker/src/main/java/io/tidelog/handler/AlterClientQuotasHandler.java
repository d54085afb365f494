package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.QuotaEdit;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.AlterClientQuotasResponseData;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.apache.kafka.common.requests.AlterClientQuotasResponse;
import org.apache.kafka.common.requests.ApiError;

/** Sets and takes away client quotas, each entity for itself. They are kept, not enforced. */
final class AlterClientQuotasHandler implements RequestHandler {
  private final Topics topics;
  private final Executor background;

  /**
   * @param background where entities are checked, which may ask for a host's address
   */
  AlterClientQuotasHandler(Topics topics, Executor background) {
    this.topics = topics;
    this.background = background;
  }

  @Override
  public void handle(Request request, Answer answer) {
    AlterClientQuotasRequest asked = request.body(AlterClientQuotasRequest.class);
    Background.answer(background, answer, () -> alter(asked, answer));
  }

  private void alter(AlterClientQuotasRequest asked, Answer answer) {
    Map<ClientQuotaEntity, ApiError> errors = new HashMap<>();
    List<QuotaEdit> edits = new ArrayList<>();
    for (ClientQuotaAlteration part : asked.entries()) {
      try {
        if (errors.containsKey(part.entity())) {
          throw new InvalidRequestException("Ignoring duplicate entity " + part.entity());
        }
        errors.put(part.entity(), ApiError.NONE);
        QuotaEdit edit = edit(part);
        edit.check();
        edits.add(edit);
      } catch (ApiException refused) {
        errors.put(part.entity(), ApiError.fromThrowable(refused));
      }
    }
    edits.removeIf(edit -> errors.get(edit.entity()).isFailure());
    LaterAnswer.to(answer)
        .with(
            topics
                .admin()
                .alterQuotas(edits, asked.validateOnly() ? Intent.CHECK : Intent.CARRY_OUT),
            done -> answer(errors));
  }

  private static QuotaEdit edit(ClientQuotaAlteration part) {
    Map<String, Double> values = new HashMap<>();
    for (ClientQuotaAlteration.Op op : part.ops()) {
      if (values.containsKey(op.key())) {
        throw new InvalidRequestException(
            "Duplicate quota key "
                + op.key()
                + " not updating quota for this entity "
                + part.entity());
      }
      values.put(op.key(), op.value());
    }
    return new QuotaEdit(part.entity(), values);
  }

  private static AlterClientQuotasResponseData answer(Map<ClientQuotaEntity, ApiError> errors) {
    return AlterClientQuotasResponse.fromQuotaEntities(errors, 0).data();
  }
}
