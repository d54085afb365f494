package io.tidelog.handler;

import io.tidelog.protocol.Peer;
import java.net.InetSocketAddress;

/**
 * What is the same for all that a fetch reads.
 *
 * @param maxBytes the broker's own limit for one answer
 * @param errors which code stands for which failure
 * @param nodeId this broker
 * @param peer who asks
 * @param addresses where clients are told to find this broker
 */
record FetchSurroundings(
    int maxBytes, EngineErrors errors, int nodeId, Peer peer, AdvertisedAddress addresses) {

  /** Where the client is told to find this broker. */
  InetSocketAddress address() {
    return addresses.of(peer);
  }
}
