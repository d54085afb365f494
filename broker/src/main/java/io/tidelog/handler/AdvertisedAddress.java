package io.tidelog.handler;

import io.tidelog.protocol.Peer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * Which address a client is told to connect to: the one that the settings name for its listener
 * ({@code advertised.listeners}), else the one that it has used already, which therefore works.
 *
 * @param byListener host and port, unresolved, by listener name
 */
public record AdvertisedAddress(Map<String, InetSocketAddress> byListener) {

  /** Every client is told the address that it has used. */
  public static final AdvertisedAddress AS_CONNECTED = new AdvertisedAddress(Map.of());

  public AdvertisedAddress {
    byListener = Map.copyOf(byListener);
  }

  /** The address for this client; its host string is what goes into an answer. */
  public InetSocketAddress of(Peer peer) {
    InetSocketAddress named = byListener.get(peer.listenerName());
    return named != null
        ? named
        : InetSocketAddress.createUnresolved(
            textOf(peer.local().getAddress()), peer.local().getPort());
  }

  /** An address as text, without the zone that means something on this machine only. */
  private static String textOf(InetAddress address) {
    String text = address.getHostAddress();
    int zone = address instanceof Inet6Address ? text.indexOf('%') : -1;
    return zone < 0 ? text : text.substring(0, zone);
  }
}
