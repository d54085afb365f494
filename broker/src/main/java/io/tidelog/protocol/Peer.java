package io.tidelog.protocol;

import java.net.InetSocketAddress;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * Who is at the other end of a connection, and how it came in. Fixed while the connection lives,
 * but for its software.
 */
public final class Peer {
  private final String connectionId;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final String listenerName;
  private volatile ClientInformation software = ClientInformation.EMPTY;

  /**
   * @param connectionId unique in this process while the connection lives
   * @param local the address that the client connected to
   * @param remote the client's address
   * @param listenerName the name of the plaintext listener that accepted it
   */
  public Peer(
      String connectionId, InetSocketAddress local, InetSocketAddress remote, String listenerName) {
    this.connectionId = connectionId;
    this.local = local;
    this.remote = remote;
    this.listenerName = listenerName;
  }

  public String connectionId() {
    return connectionId;
  }

  /** The address that the client connected to: what to advertise when nothing else is set. */
  public InetSocketAddress local() {
    return local;
  }

  public InetSocketAddress remote() {
    return remote;
  }

  public String listenerName() {
    return listenerName;
  }

  public SecurityProtocol securityProtocol() {
    return SecurityProtocol.PLAINTEXT;
  }

  public KafkaPrincipal principal() {
    return KafkaPrincipal.ANONYMOUS;
  }

  /** Name and version of the client's software, once an ApiVersions request has told them. */
  public ClientInformation software() {
    return software;
  }

  void introduce(ClientInformation told) {
    software = told;
  }

  /** The client's address and port, as log lines show it. */
  @Override
  public String toString() {
    return remote.getAddress().getHostAddress() + ":" + remote.getPort();
  }
}
