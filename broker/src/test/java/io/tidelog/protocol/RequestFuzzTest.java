package io.tidelog.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes as a frame, it is a request or refused in the one typed way, in memory of about
 * its own size; a request written again is the same request; and its frame's buffer is let go of
 * once.
 */
class RequestFuzzTest implements FuzzTarget {
  private static final MemoryBound MEMORY = MemoryBound.of(256 << 10, 2_048);

  private final OfferedApis everything = Frames.everything();

  @Test
  void every_known_input_is_a_request_or_refused() throws Exception {
    KnownInputs.replay(this);
  }

  @Override
  public List<String> guidedBy() {
    List<String> classes = new ArrayList<>(List.of("io.tidelog.protocol.**"));
    for (ApiKeys api : ApiKeys.values()) {
      if (api.hasValidVersion()) {
        Class<?> request = api.messageType.newRequest().getClass();
        classes.add(request.getName());
        Arrays.stream(request.getDeclaredClasses()).map(Class::getName).forEach(classes::add);
      }
    }
    classes.add(RequestHeader.class.getName());
    classes.add(RequestHeaderData.class.getName());
    classes.add(ByteBufferAccessor.class.getName());
    return classes;
  }

  @Override
  public List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (ApiKeys api : ApiKeys.values()) {
      if (api.hasValidVersion()) {
        seeds.add(frame(api, api.oldestVersion(), Frames.plainRequest(api)));
        seeds.add(frame(api, api.latestVersion(), Frames.plainRequest(api)));
      }
    }
    for (short version = 3; version <= 13; version++) {
      seeds.add(frame(ApiKeys.PRODUCE, version, produce(version)));
    }
    seeds.add(frame(ApiKeys.FETCH, (short) 12, fetch()));
    seeds.add(frame(ApiKeys.METADATA, (short) 9, metadata()));
    seeds.add(frame(ApiKeys.JOIN_GROUP, (short) 9, joinGroup()));
    return seeds;
  }

  private static byte[] frame(ApiKeys api, short version, ApiMessage body) {
    ByteBuffer frame = Frames.of(api, version, body);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  private static ProduceRequestData produce(short version) {
    ProduceRequestData.TopicProduceData topic = new ProduceRequestData.TopicProduceData();
    if (version < 13) {
      topic.setName("orders");
    }
    topic.setPartitionData(
        List.of(
            new ProduceRequestData.PartitionProduceData()
                .setIndex(1)
                .setRecords(MemoryRecords.readableRecords(ByteBuffer.wrap(new byte[70])))));
    ProduceRequestData.TopicProduceDataCollection topics =
        new ProduceRequestData.TopicProduceDataCollection();
    topics.add(topic);
    return new ProduceRequestData().setAcks((short) 1).setTimeoutMs(100).setTopicData(topics);
  }

  private static FetchRequestData fetch() {
    return new FetchRequestData()
        .setMaxWaitMs(100)
        .setTopics(
            List.of(
                new FetchRequestData.FetchTopic()
                    .setTopic("orders")
                    .setPartitions(
                        List.of(
                            new FetchRequestData.FetchPartition()
                                .setPartition(1)
                                .setFetchOffset(17)
                                .setPartitionMaxBytes(1000)))));
  }

  private static MetadataRequestData metadata() {
    return new MetadataRequestData()
        .setTopics(List.of(new MetadataRequestData.MetadataRequestTopic().setName("orders")));
  }

  private static JoinGroupRequestData joinGroup() {
    JoinGroupRequestData.JoinGroupRequestProtocolCollection protocols =
        new JoinGroupRequestData.JoinGroupRequestProtocolCollection();
    protocols.add(
        new JoinGroupRequestData.JoinGroupRequestProtocol()
            .setName("range")
            .setMetadata(new byte[] {1, 2, 3}));
    return new JoinGroupRequestData()
        .setGroupId("group")
        .setMemberId("member")
        .setProtocolType("consumer")
        .setProtocols(protocols);
  }

  @Override
  public void check(byte[] input) throws Exception {
    MEMORY.check(input.length, () -> decode(input));
    Request request = decode(input);
    if (request != null && request.version() == request.requestVersion()) {
      writtenAgain(request);
    }
  }

  /** The request, or null if it is refused. */
  private Request decode(byte[] input) {
    Frames.Claim claim = new Frames.Claim();
    try {
      Request request =
          new RequestDecoder(everything).decode(ByteBuffer.wrap(input), Frames.PEER, null, claim);
      assertThat(request.clientId()).isNotNull();
      assertThat(request.toString()).hasLineCount(1);
      request.releaseBuffer();
      assertThat(claim.releases()).isEqualTo(1);
      return request;
    } catch (BadRequestException refused) {
      assertThat(refused.getMessage()).isNotBlank().hasLineCount(1);
      assertThat(claim.releases()).isZero();
      return null;
    }
  }

  private void writtenAgain(Request request) throws BadRequestException {
    Request second;
    try {
      ApiMessage body = request.body().data();
      second = Frames.decode(everything, Frames.of(request.apiKey(), request.version(), body));
    } catch (RuntimeException e) {
      // Kafka reads tagged fields that it does not know in any order, and writes them in one.
      assertThat(e).hasMessageStartingWith("Invalid raw tag field list");
      return;
    }
    assertThat(second.body().data()).isEqualTo(request.body().data());
  }
}
