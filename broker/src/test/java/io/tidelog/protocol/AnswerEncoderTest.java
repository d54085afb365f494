package io.tidelog.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Random;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.SendBuilder;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ResponseHeader;
import org.junit.jupiter.api.Test;

class AnswerEncoderTest {
  private static final short FETCH_VERSION = 16;
  private final OfferedApis everything = Frames.everything();

  @Test
  void every_api_at_every_version_is_written_as_kafka_writes_it() throws Exception {
    for (ApiKeys api : ApiKeys.values()) {
      if (!api.hasValidVersion()) {
        continue;
      }
      for (short version : api.allVersions()) {
        ApiMessage body = api.messageType.newResponse();
        assertThat(encode(request(api, version), body))
            .as("%s v%d", api, version)
            .isEqualTo(kafkas(api, version, body));
      }
    }
  }

  @Test
  void slices_and_records_in_memory_stand_where_kafka_puts_them() throws Exception {
    BytesSlice large = new BytesSlice(random(5000));
    BytesSlice small = new BytesSlice(random(1));
    FetchResponseData body =
        fetchOf(
            new SliceRecords(large),
            MemoryRecords.EMPTY,
            MemoryRecords.readableRecords(ByteBuffer.wrap(random(300))),
            new SliceRecords(new BytesSlice(new byte[0])),
            new SliceRecords(small));
    byte[] ours = encode(request(ApiKeys.FETCH, FETCH_VERSION), body);
    assertThat(ours).isEqualTo(kafkas(ApiKeys.FETCH, FETCH_VERSION, body));
  }

  @Test
  void a_slice_leaves_whole_through_kafkas_channel_layer_however_little_it_takes()
      throws Exception {
    byte[] contents = random(10_000);
    SliceRecords records = new SliceRecords(new BytesSlice(contents));
    assertThat(Frames.bytes(records.toSend(), 777)).isEqualTo(contents);
  }

  @Test
  void a_discarded_answer_releases_each_slice_once() {
    BytesSlice first = new BytesSlice(random(10));
    BytesSlice second = new BytesSlice(random(10));
    FetchResponseData body =
        fetchOf(new SliceRecords(first), MemoryRecords.EMPTY, new SliceRecords(second));
    AnswerEncoder.discard(body);
    AnswerEncoder.discard(body);
    assertThat(first.releases()).isEqualTo(1);
    assertThat(second.releases()).isEqualTo(1);
    AnswerEncoder.discard(null);
  }

  @Test
  void a_field_that_the_version_lacks_is_an_exception() {
    ListOffsetsResponseData body = new ListOffsetsResponseData();
    ListOffsetsTopicResponse topic = new ListOffsetsTopicResponse().setName("t");
    topic.partitions().add(new ListOffsetsPartitionResponse().setLeaderEpoch(3));
    body.topics().add(topic);
    assertThatThrownBy(() -> encode(request(ApiKeys.LIST_OFFSETS, (short) 2), body))
        .hasMessageContaining("leaderEpoch");
  }

  private Request request(ApiKeys api, short version) throws BadRequestException {
    return Frames.decode(everything, Frames.of(api, version, Frames.plainRequest(api)));
  }

  private static FetchResponseData fetchOf(BaseRecords... records) {
    FetchableTopicResponse topic = new FetchableTopicResponse();
    for (BaseRecords each : records) {
      topic.partitions().add(new PartitionData().setRecords(each));
    }
    FetchResponseData body = new FetchResponseData();
    body.responses().add(topic);
    return body;
  }

  private static byte[] kafkas(ApiKeys api, short version, ApiMessage body) throws Exception {
    ResponseHeader header = new ResponseHeader(42, api.responseHeaderVersion(version));
    return Frames.bytes(SendBuilder.buildResponseSend(header, body, version), Integer.MAX_VALUE);
  }

  private static byte[] encode(Request request, ApiMessage body) throws Exception {
    Collected collected = new Collected();
    AnswerEncoder.encode(request, body, collected);
    collected.cut();
    return collected.bytes.toByteArray();
  }

  private static byte[] random(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  /** Joins all parts. */
  private static final class Collected implements AnswerSink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private ByteBuffer target;
    private int cutFrom;

    @Override
    public ByteBuffer reserve(int sizeBytes) {
      target = ByteBuffer.allocate(sizeBytes);
      return target;
    }

    @Override
    public void append(ByteBuffer more) {
      cut();
      while (more.hasRemaining()) {
        bytes.write(more.get());
      }
    }

    @Override
    public int append(SliceRecords slice) {
      cut();
      try {
        slice.transferTo(0, Channels.newChannel(bytes));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return 0;
    }

    void cut() {
      bytes.write(target.array(), cutFrom, target.position() - cutFrom);
      cutFrom = target.position();
    }
  }
}
