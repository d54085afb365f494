package io.tidelog.protocol;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.message.DescribeAclsRequestData;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.resource.ResourceType;

/** Frames and what surrounds them, for tests without a socket. */
final class Frames {
  static final RequestHandler UNUSED = (request, answer) -> {};
  static final Peer PEER =
      new Peer(
          "id",
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 9092),
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000),
          "PLAINTEXT");

  private Frames() {}

  /** Every API and version that Kafka's messages know, but for ApiVersions as always. */
  static OfferedApis everything() {
    OfferedApis.Builder apis = OfferedApis.builder(new NoFacts());
    for (ApiKeys api : ApiKeys.values()) {
      if (api != ApiKeys.API_VERSIONS && api.hasValidVersion()) {
        apis.offer(api, api.oldestVersion(), api.latestVersion(), UNUSED);
      }
    }
    return apis.build();
  }

  /** A request with its default fields, as far as Kafka takes them. */
  static ApiMessage plainRequest(ApiKeys api) {
    if (api == ApiKeys.DESCRIBE_ACLS) {
      return new DescribeAclsRequestData()
          .setResourceTypeFilter(ResourceType.ANY.code())
          .setOperation(AclOperation.ANY.code())
          .setPermissionType(AclPermissionType.ANY.code());
    }
    return api.messageType.newRequest();
  }

  /** A request's frame without its length. */
  static ByteBuffer of(ApiKeys api, short version, ApiMessage body) {
    ByteBuffer header = header(api, version);
    ByteBuffer bytes = MessageUtil.toByteBufferAccessor(body, version).buffer();
    return ByteBuffer.allocateDirect(header.remaining() + bytes.remaining())
        .put(header)
        .put(bytes)
        .flip();
  }

  /** A request header alone. */
  static ByteBuffer header(ApiKeys api, short version) {
    RequestHeader header = new RequestHeader(api, version, "client", 42);
    return MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion()).buffer();
  }

  static Request decode(OfferedApis apis, ByteBuffer frame) throws BadRequestException {
    return new RequestDecoder(apis).decode(frame, PEER, null, () -> {});
  }

  /** Everything that a send writes to a channel which takes so many bytes at a time. */
  static byte[] bytes(Send send, int pieceBytes) throws IOException {
    Sink sink = new Sink(Math.toIntExact(send.size()), pieceBytes);
    while (!send.completed()) {
      send.writeTo(sink);
    }
    return sink.taken.array();
  }

  /** Counts releases. */
  static final class Claim implements FrameBuffer {
    private final AtomicInteger releases = new AtomicInteger();

    @Override
    public void release() {
      releases.incrementAndGet();
    }

    int releases() {
      return releases.get();
    }
  }

  /** Facts of a broker without features. */
  static class NoFacts implements BrokerFacts {
    @Override
    public String clusterId() {
      return "cluster";
    }

    @Override
    public int nodeId() {
      return 1;
    }

    @Override
    public Map<String, FeatureRange> supportedFeatures() {
      return Map.of();
    }

    @Override
    public FinalizedFeatures finalizedFeatures() {
      return new FinalizedFeatures(Map.of(), 0);
    }
  }

  private static final class Sink implements TransferableChannel {
    private final ByteBuffer taken;
    private final int pieceBytes;

    Sink(int sizeBytes, int pieceBytes) {
      this.taken = ByteBuffer.allocate(sizeBytes);
      this.pieceBytes = pieceBytes;
    }

    @Override
    public int write(ByteBuffer source) {
      int count = Math.min(pieceBytes, source.remaining());
      taken.put(source.slice(source.position(), count));
      source.position(source.position() + count);
      return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        if (sources[i].hasRemaining()) {
          return write(sources[i]);
        }
      }
      return 0;
    }

    @Override
    public long write(ByteBuffer[] sources) {
      return write(sources, 0, sources.length);
    }

    @Override
    public boolean hasPendingWrites() {
      return false;
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
      return file.transferTo(position, count, this);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
