package io.tidelog.net;

import io.tidelog.protocol.BrokerFacts;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.protocol.RequestHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataRequest;

/**
 * A server on a free loopback port whose handlers are the test's, with a clock that the test can
 * push forward.
 */
final class TestServer implements Closeable {
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

  private final Server server;
  private final AtomicLong aheadNanos;

  private TestServer(Server server, AtomicLong aheadNanos) {
    this.server = server;
    this.aheadNanos = aheadNanos;
  }

  static TestServer start(Map<ApiKeys, RequestHandler> handlers) throws IOException {
    return start(handlers, settings -> settings);
  }

  static TestServer start(Map<ApiKeys, RequestHandler> handlers, UnaryOperator<NetSettings> change)
      throws IOException {
    OfferedApis.Builder apis = OfferedApis.builder(FACTS);
    handlers.forEach(apis::offer);
    AtomicLong aheadNanos = new AtomicLong();
    NetSettings settings = change.apply(NetSettings.listeningOn(LOOPBACK).withLoops(1));
    Server server =
        Server.start(
            settings, apis.build(), NetEvents.NONE, () -> System.nanoTime() + aheadNanos.get());
    return new TestServer(server, aheadNanos);
  }

  /** A metadata request that asks for one topic; {@link #echo} answers with its name. */
  static MetadataRequest ask(String topic) {
    MetadataRequestData data = new MetadataRequestData();
    data.topics().add(new MetadataRequestTopic().setName(topic));
    return new MetadataRequest(data, (short) 9);
  }

  /** The answer to {@link #ask}: the topic's name as the cluster's. */
  static MetadataResponseData echo(MetadataRequest asked) {
    return new MetadataResponseData().setClusterId(asked.data().topics().get(0).name());
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

  /** Lets the loops' clock jump; a loop notices when it next wakes. */
  void advanceMs(long ms) {
    aheadNanos.addAndGet(ms * 1_000_000);
  }

  @Override
  public void close() {
    server.close();
  }
}
