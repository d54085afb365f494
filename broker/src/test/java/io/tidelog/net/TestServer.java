package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.BrokerFacts;
import io.tidelog.protocol.EventLoop;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;

/**
 * A server on a free loopback port whose handlers are the test's, with a clock that the test can
 * push forward.
 */
final class TestServer implements Closeable {
  private static final long LIMIT_NANOS = 10_000_000_000L;
  static final InetSocketAddress LOOPBACK =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Facts of a broker without features. */
  static final BrokerFacts FACTS =
      new BrokerFacts() {
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
      };

  private final CountingEvents events = new CountingEvents();
  private final AtomicLong aheadNanos = new AtomicLong();
  private Server server;
  private volatile EventLoop anyLoop;

  private TestServer() {}

  /** A server with one loop. */
  static TestServer start(Map<ApiKeys, RequestHandler> handlers) throws IOException {
    return start(handlers, settings -> settings);
  }

  static TestServer start(Map<ApiKeys, RequestHandler> handlers, UnaryOperator<NetSettings> change)
      throws IOException {
    TestServer test = new TestServer();
    OfferedApis.Builder apis =
        OfferedApis.builder(FACTS).offer(ApiKeys.DESCRIBE_CLUSTER, test::noteLoop);
    handlers.forEach(apis::offer);
    NetSettings settings = change.apply(NetSettings.listeningOn(LOOPBACK).withLoops(1));
    test.server =
        Server.start(
            settings, apis.build(), test.events, () -> System.nanoTime() + test.aheadNanos.get());
    return test;
  }

  /** Changes limits: {@code limits(old -> ...)}. */
  static UnaryOperator<NetSettings> limits(UnaryOperator<NetLimits> change) {
    return settings -> settings.withLimits(change.apply(settings.limits()));
  }

  /** Answers {@link #ask} at once. */
  static void echo(Request request, Answer answer) {
    answer.complete(echoOf(request));
  }

  /** A metadata request that asks for one topic. */
  static MetadataRequest ask(String topic) {
    MetadataRequestData data = new MetadataRequestData();
    data.topics().add(new MetadataRequestTopic().setName(topic));
    return new MetadataRequest(data, (short) 9);
  }

  /** The answer to {@link #ask}: the topic's name as the cluster's. */
  static MetadataResponseData echoOf(Request request) {
    List<MetadataRequestTopic> topics = request.body(MetadataRequest.class).data().topics();
    return new MetadataResponseData()
        .setClusterId(topics == null || topics.isEmpty() ? "" : topics.get(0).name());
  }

  /** What {@link #echoOf} has put into an answer. */
  static String echoed(AbstractResponse response) {
    return ((MetadataResponse) response).data().clusterId();
  }

  RawClient connect() throws IOException {
    return RawClient.connect(server.address());
  }

  RawClient connect(int receiveBufferBytes) throws IOException {
    return RawClient.connect(server.address(), receiveBufferBytes);
  }

  Server server() {
    return server;
  }

  CountingEvents events() {
    return events;
  }

  /** Lets the loops' clock jump; a loop notices when it next wakes. */
  void advanceMs(long ms) {
    aheadNanos.addAndGet(ms * 1_000_000);
  }

  /**
   * Has the loop go round so often at least, so that it has done all that it had to do when this
   * was called.
   */
  void goRound(int times) throws IOException {
    try (RawClient client = connect()) {
      for (int i = 0; i <= times; i++) {
        client.call(new DescribeClusterRequest(new DescribeClusterRequestData(), (short) 0));
        CompletableFuture<Void> ran = new CompletableFuture<>();
        anyLoop.execute(() -> ran.complete(null));
        ran.join();
      }
    }
  }

  /** Waits, for a bounded time, until this much receive memory is in use. */
  void awaitReceiveMemory(long bytes) {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (server.receiveMemoryUsedBytes() != bytes && System.nanoTime() < deadline) {
      LockSupport.parkNanos(100_000);
    }
    assertThat(server.receiveMemoryUsedBytes()).isEqualTo(bytes);
  }

  private void noteLoop(Request request, Answer answer) {
    anyLoop = request.loop();
    answer.complete(new DescribeClusterResponseData());
  }

  @Override
  public void close() {
    server.close();
  }
}
