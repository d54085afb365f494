package io.tidelog.protocol;

import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * The APIs that this broker offers: those for which a handler was registered, each with a range of
 * versions. Nothing else is advertised or accepted. ApiVersions itself is always among them.
 */
public final class OfferedApis {
  /**
   * Produce is accepted from v3 only; some librdkafka releases turn features off when v0 is missing
   * (KAFKA-18659).
   */
  private static final short PRODUCE_ADVERTISED_FROM = 0;

  private final Map<ApiKeys, Offer> offers;

  private OfferedApis(Map<ApiKeys, Offer> offers) {
    this.offers = offers;
  }

  /**
   * Loads the definitions of all messages, which takes a tenth of a start: call it on another
   * thread while this one waits for the disk. Without effect but for the time it saves.
   */
  public static void load() {
    ApiKeys.API_VERSIONS.latestVersion();
  }

  /** Starts a list that holds ApiVersions alone. */
  public static Builder builder(BrokerFacts facts) {
    return new Builder(facts);
  }

  /** Whether requests of this API and version are served. */
  public boolean offers(ApiKeys api, short version) {
    Offer offer = offers.get(api);
    return offer != null && version >= offer.lowest && version <= offer.highest;
  }

  /** The handler of an API that is offered. */
  public RequestHandler handler(ApiKeys api) {
    return offers.get(api).handler;
  }

  /** "v0 to v13", or "not offered": for log lines. */
  String describe(ApiKeys api) {
    Offer offer = offers.get(api);
    return offer == null ? "not offered" : "offered v" + offer.lowest + " to v" + offer.highest;
  }

  /** A new list of what an ApiVersions answer advertises. */
  ApiVersionCollection advertised() {
    ApiVersionCollection advertised = new ApiVersionCollection(offers.size());
    offers.forEach((api, offer) -> advertised.add(advertise(api, offer)));
    return advertised;
  }

  private static ApiVersion advertise(ApiKeys api, Offer offer) {
    short lowest = api == ApiKeys.PRODUCE ? PRODUCE_ADVERTISED_FROM : offer.lowest;
    return new ApiVersion().setApiKey(api.id).setMinVersion(lowest).setMaxVersion(offer.highest);
  }

  private record Offer(short lowest, short highest, RequestHandler handler) {}

  /** Collects handlers. */
  public static final class Builder {
    private final Map<ApiKeys, Offer> offers = new EnumMap<>(ApiKeys.class);
    private final BrokerFacts facts;

    private Builder(BrokerFacts facts) {
      this.facts = facts;
    }

    /** Offers every stable version of an API that Kafka's message definitions know. */
    public Builder offer(ApiKeys api, RequestHandler handler) {
      return offer(api, api.oldestVersion(), api.latestVersion(false), handler);
    }

    /** Offers the versions from {@code lowest} to {@code highest} of an API. */
    public Builder offer(ApiKeys api, int lowest, int highest, RequestHandler handler) {
      if (lowest < api.oldestVersion() || highest > api.latestVersion() || lowest > highest) {
        throw new IllegalArgumentException(
            api.name
                + " cannot be offered from v"
                + lowest
                + " to v"
                + highest
                + ": the messages known are v"
                + api.oldestVersion()
                + " to v"
                + api.latestVersion());
      }
      if (offers.putIfAbsent(api, new Offer((short) lowest, (short) highest, handler)) != null) {
        throw new IllegalArgumentException(api.name + " has a handler already");
      }
      return this;
    }

    /** The list, with ApiVersions added. */
    public OfferedApis build() {
      Map<ApiKeys, Offer> all = new EnumMap<>(offers);
      OfferedApis offered = new OfferedApis(all);
      ApiKeys api = ApiKeys.API_VERSIONS;
      all.put(
          api,
          new Offer(
              api.oldestVersion(),
              api.latestVersion(false),
              new ApiVersionsHandler(offered, facts)));
      return offered;
    }
  }
}
