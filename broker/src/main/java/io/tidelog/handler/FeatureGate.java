package io.tidelog.handler;

import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.protocol.Errors;

/**
 * APIs that need a feature: while its level is 0 they answer UNSUPPORTED_VERSION.
 *
 * @param feature its name
 */
record FeatureGate(Topics topics, String feature) {

  RequestHandler before(RequestHandler handler) {
    return (request, answer) -> {
      Short level = topics.image().features().finalizedVersions().get(feature);
      if (level == null || level < 1) {
        answer.fail(Errors.UNSUPPORTED_VERSION.exception());
      } else {
        handler.handle(request, answer);
      }
    };
  }
}
