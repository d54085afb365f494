package io.tidelog.protocol;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/**
 * One decoded request and where it came from.
 *
 * <p>The byte fields of some requests (record batches above all) are views of the receive buffer.
 * The buffer stays as it is until the answer is given or {@link #releaseBuffer} is called,
 * whichever is first; afterwards these fields must not be touched, since the bytes belong to
 * somebody else's request by then.
 */
public final class Request implements AuthorizableRequestContext {
  private final RequestHeader header;
  private final AbstractRequest body;
  private final Peer peer;
  private final EventLoop loop;
  private final AtomicReference<FrameBuffer> buffer;

  Request(
      RequestHeader header, AbstractRequest body, Peer peer, EventLoop loop, FrameBuffer buffer) {
    this.header = header;
    this.body = body;
    this.peer = peer;
    this.loop = loop;
    this.buffer = new AtomicReference<>(buffer);
  }

  public ApiKeys apiKey() {
    return body.apiKey();
  }

  /**
   * The version at which the body was read and the answer is written: 0 for an ApiVersions request
   * too new for us.
   */
  public short version() {
    return body.version();
  }

  public AbstractRequest body() {
    return body;
  }

  /** The body as its own type, for example {@code body(ProduceRequest.class)}. */
  public <T extends AbstractRequest> T body(Class<T> type) {
    return type.cast(body);
  }

  public Peer peer() {
    return peer;
  }

  /** The loop on which this request is handled: its connection's. */
  public EventLoop loop() {
    return loop;
  }

  /**
   * Lets go of the receive buffer before the answer is given. From any thread, any number of times.
   */
  public void releaseBuffer() {
    FrameBuffer held = buffer.getAndSet(null);
    if (held != null) {
      held.release();
    }
  }

  /** Whether the bytes of this request may still be needed. */
  public boolean holdsBuffer() {
    return buffer.get() != null;
  }

  @Override
  public int correlationId() {
    return header.correlationId();
  }

  /** The client's name for itself; "" if it gave none. */
  @Override
  public String clientId() {
    return header.clientId();
  }

  @Override
  public String listenerName() {
    return peer.listenerName();
  }

  @Override
  public SecurityProtocol securityProtocol() {
    return peer.securityProtocol();
  }

  @Override
  public KafkaPrincipal principal() {
    return peer.principal();
  }

  @Override
  public InetAddress clientAddress() {
    return peer.remote().getAddress();
  }

  @Override
  public int requestType() {
    return body.apiKey().id;
  }

  @Override
  public int requestVersion() {
    return header.apiVersion();
  }

  /** Names the request in a log line: API, version, correlation id, client and its address. */
  @Override
  public String toString() {
    return body.apiKey().name
        + " v"
        + header.apiVersion()
        + " (correlation id "
        + header.correlationId()
        + ") from "
        + peer
        + " \""
        + OneLine.of(header.clientId())
        + "\"";
  }
}
