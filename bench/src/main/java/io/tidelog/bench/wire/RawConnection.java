package io.tidelog.bench.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.ResponseHeader;

/** A connection to a broker of this machine, without a client library's threads and queues. */
public final class RawConnection implements AutoCloseable {
  private static final int FIRST_BUFFER_BYTES = 4096;

  private final SocketChannel channel;
  private ByteBuffer received = ByteBuffer.allocateDirect(FIRST_BUFFER_BYTES).limit(0);

  private RawConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /** Connects. */
  public static RawConnection to(int port) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return new RawConnection(channel);
  }

  /** Sends all of a frame, which stays as it is. */
  void send(ByteBuffer frame) throws IOException {
    ByteBuffer left = frame.duplicate();
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  /** The next answer, from its correlation id on; valid until the next call. */
  ByteBuffer receive() throws IOException {
    need(Integer.BYTES);
    int size = received.getInt();
    need(size);
    ByteBuffer answer = received.slice(received.position(), size);
    received.position(received.position() + size);
    return answer;
  }

  private void need(int bytes) throws IOException {
    if (received.capacity() - received.position() < bytes) {
      ByteBuffer left = received;
      received =
          bytes <= left.capacity()
              ? left.compact()
              : ByteBuffer.allocateDirect(bytes * 2).put(left);
      received.flip();
    }
    while (received.remaining() < bytes) {
      int start = received.position();
      received.position(received.limit()).limit(received.capacity());
      int read = channel.read(received);
      received.limit(received.position()).position(start);
      if (read < 0) {
        throw new EOFException("the broker has closed the connection");
      }
    }
  }

  /** One request, and the body of its answer. */
  ByteBufferAccessor ask(ApiKeys api, short version, ApiMessage body) throws IOException {
    send(Frame.of(api, version, body));
    return body(receive(), api, version);
  }

  /** The body of an answer. */
  static ByteBufferAccessor body(ByteBuffer answer, ApiKeys api, short version) {
    ResponseHeader.parse(answer, api.responseHeaderVersion(version));
    return new ByteBufferAccessor(answer);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
