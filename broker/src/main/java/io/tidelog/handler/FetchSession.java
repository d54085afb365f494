package io.tidelog.handler;

import org.apache.kafka.common.requests.FetchMetadata;

/**
 * What a client has said once and need not say again (KIP-227): which partitions it reads, named in
 * one way, and what it was told of them. Each request must carry the epoch that follows the one
 * before, so that a repeated or lost one shows. The epoch goes with the partitions' monitor.
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

  Naming naming() {
    return naming;
  }

  FetchedPartitions partitions() {
    return partitions;
  }

  /** The epoch that the next request must carry. */
  int epoch() {
    return epoch;
  }

  void advanceEpoch() {
    epoch = FetchMetadata.nextEpoch(epoch);
  }
}
