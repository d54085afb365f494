package io.tidelog.handler;

import io.tidelog.coordinator.GroupConfigs;
import io.tidelog.coordinator.GroupSettings;
import io.tidelog.disk.Disk;
import io.tidelog.net.NetEvents;
import io.tidelog.net.NetSettings;
import io.tidelog.net.RawClient;
import io.tidelog.net.Server;
import io.tidelog.protocol.BrokerFacts;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.TestTopics;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/** The APIs about topics on a free loopback port, over a simulated disk, and a client of them. */
final class TopicServer implements AutoCloseable {
  static final List<ServerSetting> SETTINGS =
      List.of(
          new ServerSetting("num.partitions", ConfigDef.Type.INT, "1"),
          new ServerSetting("log.retention.hours", ConfigDef.Type.INT, "168"));

  private final TestTopics topics;
  private final Server server;
  private final RawClient client;

  private TopicServer(TestTopics topics, Server server) throws IOException {
    this.topics = topics;
    this.server = server;
    this.client = RawClient.connect(server.address());
  }

  /** A new broker without settings. */
  static TopicServer start() throws IOException {
    return start(new SimDisk(11), Map.of());
  }

  static TopicServer start(Disk disk, Map<String, String> settings) throws IOException {
    TestTopics topics = TestTopics.start(disk, settings);
    OfferedApis.Builder apis = OfferedApis.builder(new NoFacts());
    TopicApis.offer(apis, topics.topics(), AdvertisedAddress.AS_CONNECTED);
    TopicApis.offerConfigs(
        apis, topics.topics(), new GroupConfigs(GroupSettings.of(settings)), SETTINGS);
    ClusterApis.offer(apis, topics.topics(), AdvertisedAddress.AS_CONNECTED, new SimClock());
    ClusterApis.offerQuotas(apis, topics.topics(), Runnable::run);
    TopicApis.offerLogDirs(apis, topics.topics(), disk, Runnable::run);
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new TopicServer(
        topics,
        Server.start(
            NetSettings.listeningOn(loopback).withLoops(1),
            apis.build(),
            NetEvents.NONE,
            System::nanoTime));
  }

  TestTopics topics() {
    return topics;
  }

  InetSocketAddress address() {
    return server.address();
  }

  /** Creates a topic without a request. */
  Topic create(String name, int partitions) {
    return topics.create(NewTopic.named(name).withPartitions(partitions));
  }

  /** Sends a request, encoded at its version, and decodes the answer. */
  <T extends AbstractResponse> T ask(AbstractRequest request, Class<T> type) throws IOException {
    return client.call(request, type);
  }

  /** As {@link #ask(AbstractRequest, Class)}, for a body at a version. */
  <T extends AbstractResponse> T ask(ApiKeys api, ApiMessage body, short version, Class<T> type)
      throws IOException {
    return ask(
        AbstractRequest.parseRequest(api, version, MessageUtil.toByteBufferAccessor(body, version))
            .request,
        type);
  }

  @Override
  public void close() throws IOException {
    client.close();
    server.close();
    topics.close();
  }

  private static final class NoFacts implements BrokerFacts {
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
}
