package io.tidelog.handler;

import io.tidelog.protocol.Peer;
import java.net.InetSocketAddress;

/** Which address a client is told for this broker. */
@FunctionalInterface
public interface AdvertisedAddress {
  InetSocketAddress of(Peer peer);
}
