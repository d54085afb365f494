package io.tidelog.net;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * A client that writes frames by hand, so that illegal ones can be sent too. Answers are matched to
 * requests in order, as the protocol demands; one that has another correlation id fails. Every wait
 * ends after {@value #TIMEOUT_MS} ms with an exception. Not thread-safe.
 */
public final class RawClient implements Closeable {
  public static final int TIMEOUT_MS = 20_000;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final Deque<RequestHeader> awaiting = new ArrayDeque<>();
  private String clientId = "raw";
  private int nextCorrelationId = 1;

  private RawClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  public static RawClient connect(InetSocketAddress address) throws IOException {
    return connect(address, 0);
  }

  /** Connects with a receive buffer of about this size; 0 leaves it to the system. */
  public static RawClient connect(InetSocketAddress address, int receiveBufferBytes)
      throws IOException {
    Socket socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.connect(address, TIMEOUT_MS);
    return new RawClient(socket);
  }

  /** The client id of requests to come; may be null. */
  public RawClient as(String clientId) {
    this.clientId = clientId;
    return this;
  }

  public int localPort() {
    return socket.getLocalPort();
  }

  /**
   * The whole frame of a request, length included, as {@link #send} would send it; its answer is
   * then expected.
   */
  public byte[] frame(AbstractRequest request) {
    RequestHeader header = header(request.apiKey(), request.version());
    awaiting.add(header);
    return withLength(request.serializeWithHeader(header));
  }

  /** Sends a request whose answer is received later; returns its correlation id. */
  public int send(AbstractRequest request) throws IOException {
    sendBytes(frame(request));
    return nextCorrelationId - 1;
  }

  /** Sends a request that is never answered, such as a produce with acks=0. */
  public void sendUnanswered(AbstractRequest request) throws IOException {
    RequestHeader header = header(request.apiKey(), request.version());
    sendBytes(withLength(request.serializeWithHeader(header)));
  }

  /** Sends a request and receives its answer. */
  public AbstractResponse call(AbstractRequest request) throws IOException {
    send(request);
    return receive();
  }

  /** Sends a request and receives its answer as this type. */
  public <T extends AbstractResponse> T call(AbstractRequest request, Class<T> type)
      throws IOException {
    return type.cast(call(request));
  }

  /** The answer to the oldest request that has none yet. */
  public AbstractResponse receive() throws IOException {
    return AbstractResponse.parseResponse(receiveFrame(), awaiting.remove());
  }

  /** Sends bytes as they are. */
  public void sendBytes(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Sends a frame of these bytes: a request header and body, or what is to pass for one. */
  public void sendFrame(ByteBuffer frame) throws IOException {
    sendBytes(withLength(frame));
  }

  /** Receives a frame as it is, without its length. */
  public ByteBuffer receiveFrame() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return ByteBuffer.wrap(frame);
  }

  /** Receives this many bytes as they are. */
  public byte[] receiveBytes(int count) throws IOException {
    byte[] bytes = new byte[count];
    in.readFully(bytes);
    return bytes;
  }

  /** Waits until the broker closes the connection; false if it sends something instead. */
  public boolean isClosedByBroker() throws IOException {
    try {
      return in.read() < 0;
    } catch (EOFException | SocketException e) {
      return true;
    }
  }

  /** Closes at once with a reset, as a client does that is killed. */
  public void vanish() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private RequestHeader header(ApiKeys api, short version) {
    return new RequestHeader(api, version, clientId, nextCorrelationId++);
  }

  private static byte[] withLength(ByteBuffer frame) {
    ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + frame.remaining());
    framed.putInt(frame.remaining()).put(frame.duplicate());
    return framed.array();
  }
}
