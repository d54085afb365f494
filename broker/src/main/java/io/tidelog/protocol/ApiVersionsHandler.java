package io.tidelog.protocol;

import io.tidelog.protocol.BrokerFacts.FeatureRange;
import io.tidelog.protocol.BrokerFacts.FinalizedFeatures;
import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.FinalizedFeatureKeyCollection;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKey;
import org.apache.kafka.common.message.ApiVersionsResponseData.SupportedFeatureKeyCollection;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;

/**
 * Tells a client what it may ask. A version that is too new is answered with UNSUPPORTED_VERSION
 * and the versions of ApiVersions itself, so that the client can ask again on the same connection;
 * a client that names itself badly (KIP-511) gets INVALID_REQUEST, one that looks for another
 * broker (KIP-1242) REBOOTSTRAP_REQUIRED.
 */
final class ApiVersionsHandler implements RequestHandler {
  /**
   * Up to here clients read a feature range that starts at level 0 as malformed, so such features
   * are left out.
   */
  private static final short LAST_VERSION_WITHOUT_LEVEL_0 = 3;

  private final OfferedApis offered;
  private final BrokerFacts facts;

  ApiVersionsHandler(OfferedApis offered, BrokerFacts facts) {
    this.offered = offered;
    this.facts = facts;
  }

  @Override
  public void handle(Request request, Answer answer) {
    ApiVersionsRequest asked = request.body(ApiVersionsRequest.class);
    Errors error = check(asked);
    if (error == Errors.NONE) {
      ApiVersionsRequestData client = asked.data();
      request
          .peer()
          .introduce(
              new ClientInformation(client.clientSoftwareName(), client.clientSoftwareVersion()));
      answer.complete(describeBroker(request.version()));
    } else {
      answer.complete(asked.getErrorResponse(0, error.exception()));
    }
  }

  private Errors check(ApiVersionsRequest asked) {
    if (asked.hasUnsupportedRequestVersion()) {
      return Errors.UNSUPPORTED_VERSION;
    }
    if (!asked.isValid()) {
      return Errors.INVALID_REQUEST;
    }
    return looksForAnother(asked.data()) ? Errors.REBOOTSTRAP_REQUIRED : Errors.NONE;
  }

  private boolean looksForAnother(ApiVersionsRequestData client) {
    return client.clusterId() != null
        && !(client.clusterId().equals(facts.clusterId()) && client.nodeId() == facts.nodeId());
  }

  private ApiVersionsResponseData describeBroker(short version) {
    FinalizedFeatures inForce = facts.finalizedFeatures();
    return new ApiVersionsResponseData()
        .setApiKeys(offered.advertised())
        .setSupportedFeatures(supported(facts.supportedFeatures(), version))
        .setFinalizedFeatures(levels(inForce.levels()))
        .setFinalizedFeaturesEpoch(inForce.epoch());
  }

  private static SupportedFeatureKeyCollection supported(
      Map<String, FeatureRange> ranges, short version) {
    SupportedFeatureKeyCollection keys = new SupportedFeatureKeyCollection(ranges.size());
    ranges.forEach(
        (name, range) -> {
          if (range.lowest() > 0 || version > LAST_VERSION_WITHOUT_LEVEL_0) {
            keys.add(
                new SupportedFeatureKey()
                    .setName(name)
                    .setMinVersion(range.lowest())
                    .setMaxVersion(range.highest()));
          }
        });
    return keys;
  }

  private static FinalizedFeatureKeyCollection levels(Map<String, Short> levels) {
    FinalizedFeatureKeyCollection keys = new FinalizedFeatureKeyCollection(levels.size());
    levels.forEach(
        (name, level) -> {
          if (level != 0) {
            keys.add(
                new FinalizedFeatureKey()
                    .setName(name)
                    .setMinVersionLevel(level)
                    .setMaxVersionLevel(level));
          }
        });
    return keys;
  }
}
