package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.BrokerFacts;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.FeatureUpdate;
import io.tidelog.topic.FeatureUpdate.Range;
import io.tidelog.topic.FeatureUpdate.Step;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.Topics;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKey;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.message.UpdateFeaturesResponseData.UpdatableFeatureResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.UpdateFeaturesRequest;

/** Raises and lowers feature levels, all that a request names or none. */
final class UpdateFeaturesHandler implements RequestHandler {
  private static final short LAST_VERSION_WITH_RESULTS = 1;

  private final Topics topics;
  private final BrokerFacts facts;

  /**
   * @param facts tell which levels can be had
   */
  UpdateFeaturesHandler(Topics topics, BrokerFacts facts) {
    this.topics = topics;
    this.facts = facts;
  }

  @Override
  public void handle(Request request, Answer answer) {
    UpdateFeaturesRequestData asked = request.body(UpdateFeaturesRequest.class).data();
    Intent intent = asked.validateOnly() ? Intent.CHECK : Intent.CARRY_OUT;
    LaterAnswer.to(answer)
        .with(
            topics
                .admin()
                .updateFeatures(update(asked), intent)
                .handle((done, failure) -> answer(asked, request.version(), failure)));
  }

  private FeatureUpdate update(UpdateFeaturesRequestData asked) {
    Map<String, Step> steps = new HashMap<>();
    for (FeatureUpdateKey update : asked.featureUpdates()) {
      steps.put(
          update.feature(),
          new Step(update.maxVersionLevel(), UpgradeType.fromCode(update.upgradeType())));
    }
    Map<String, Range> supported = new HashMap<>();
    facts
        .supportedFeatures()
        .forEach((name, range) -> supported.put(name, new Range(range.lowest(), range.highest())));
    return new FeatureUpdate(steps, supported);
  }

  private static UpdateFeaturesResponseData answer(
      UpdateFeaturesRequestData asked, short version, Throwable failure) {
    UpdateFeaturesResponseData body = new UpdateFeaturesResponseData();
    if (failure != null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (!(cause instanceof ApiException)) {
        throw new CompletionException(cause);
      }
      return body.setErrorCode(Errors.forException(cause).code())
          .setErrorMessage(
              "The update failed for all features since the following feature had an error: "
                  + cause.getMessage());
    }
    if (version <= LAST_VERSION_WITH_RESULTS) {
      for (FeatureUpdateKey update : asked.featureUpdates()) {
        body.results().add(new UpdatableFeatureResult().setFeature(update.feature()));
      }
    }
    return body;
  }
}
