package io.tidelog.handler;

import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;

/**
 * What a client has said once and need not say again (KIP-227): which partitions it reads, named in
 * one way, and what it was told of them. Each request must carry the epoch that follows the one
 * before, so that a repeated or lost one shows. From any thread.
 */
final class FetchSession {

  /** How a client names topics. */
  enum Naming {
    BY_NAME,
    BY_ID;

    private static final short FIRST_VERSION_WITH_TOPIC_IDS = 13;

    static Naming at(short fetchVersion) {
      return fetchVersion < FIRST_VERSION_WITH_TOPIC_IDS ? BY_NAME : BY_ID;
    }
  }

  private final int id;
  private final Naming naming;
  private final FetchedPartitions partitions;
  private int epoch = FetchMetadata.nextEpoch(FetchMetadata.INITIAL_EPOCH);

  FetchSession(int id, Naming naming, FetchedPartitions partitions) {
    this.id = id;
    this.naming = naming;
    this.partitions = partitions;
  }

  int id() {
    return id;
  }

  FetchedPartitions partitions() {
    return partitions;
  }

  /** Takes over what a request changes, unless it is not the next one. */
  synchronized Errors advance(short version, FetchRequestData asked) {
    if (epoch != asked.sessionEpoch()) {
      return Errors.INVALID_FETCH_SESSION_EPOCH;
    }
    if (naming != Naming.at(version)) {
      return Errors.FETCH_SESSION_TOPIC_ID_ERROR;
    }
    partitions.change(asked);
    epoch = FetchMetadata.nextEpoch(epoch);
    return Errors.NONE;
  }

  /**
   * The answer to a request.
   *
   * @param asked the epoch that the request carried
   */
  synchronized FetchResponseData end(int asked, FetchPass pass) {
    if (epoch == FetchMetadata.nextEpoch(asked)) {
      return pass.answer().setSessionId(id);
    }
    // The client has asked again before it had this answer.
    pass.discard();
    return new FetchResponseData()
        .setErrorCode(Errors.INVALID_FETCH_SESSION_EPOCH.code())
        .setSessionId(id);
  }
}
