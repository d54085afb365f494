package io.tidelog.net;

/**
 * How sockets are set up.
 *
 * @param backlog connections that may wait to be accepted ({@code socket.listen.backlog.size})
 * @param sendBufferBytes {@code socket.send.buffer.bytes}; {@link #SYSTEM_DEFAULT} leaves the size
 *     to the system
 * @param receiveBufferBytes {@code socket.receive.buffer.bytes}; likewise
 */
public record SocketTuning(int backlog, int sendBufferBytes, int receiveBufferBytes) {
  /** As a buffer size: the system chooses, and adapts it to the connection. */
  public static final int SYSTEM_DEFAULT = -1;

  /** Kafka's backlog, and buffers sized by the system. */
  public static SocketTuning defaults() {
    return new SocketTuning(50, SYSTEM_DEFAULT, SYSTEM_DEFAULT);
  }
}
