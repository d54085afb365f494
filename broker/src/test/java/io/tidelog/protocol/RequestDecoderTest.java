package io.tidelog.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {
  private final OfferedApis everything = Frames.everything();

  @Test
  void every_api_at_every_version_is_read_as_it_was_written() throws Exception {
    int decoded = 0;
    for (ApiKeys api : ApiKeys.values()) {
      for (short version : versions(api)) {
        ApiMessage body = Frames.plainRequest(api);
        Request request;
        try {
          request = Frames.decode(everything, Frames.of(api, version, body));
        } catch (BadRequestException e) {
          throw new AssertionError(api + " v" + version, e);
        }
        assertThat(Frames.of(api, version, request.body().data()))
            .as("%s v%d, written again", api, version)
            .isEqualTo(Frames.of(api, version, body));
        assertThat(request.apiKey()).isEqualTo(api);
        assertThat(request.version()).isEqualTo(version);
        assertThat(request.correlationId()).isEqualTo(42);
        assertThat(request.clientId()).isEqualTo("client");
        decoded++;
      }
    }
    assertThat(decoded).isGreaterThan(250);
  }

  @Test
  void lengths_that_lie_cost_little_memory_at_every_api_and_version() throws Exception {
    ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<ByteBuffer> lies =
        List.of(
            repeated(new byte[] {0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff}),
            repeated(new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7}),
            repeated(new byte[] {0, 1, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff}),
            repeated(new byte[] {1, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7}),
            repeated(new byte[] {2, 2, 2}),
            repeated(new byte[] {(byte) 0x80, 1}));
    for (ApiKeys api : ApiKeys.values()) {
      for (short version : versions(api)) {
        for (ByteBuffer lie : lies) {
          ByteBuffer header = Frames.header(api, version);
          ByteBuffer frame =
              ByteBuffer.allocate(header.remaining() + lie.remaining())
                  .put(header)
                  .put(lie.duplicate());
          frame.flip();
          long before = memory.getCurrentThreadAllocatedBytes();
          decodeOrRefuse(frame);
          long allocated = memory.getCurrentThreadAllocatedBytes() - before;
          assertThat(allocated).as("bytes allocated for %s v%d", api, version).isLessThan(4 << 20);
        }
      }
    }
  }

  @Test
  void every_cut_and_every_flipped_bit_of_a_request_is_read_or_refused() throws Exception {
    ByteBuffer whole = Frames.of(ApiKeys.METADATA, (short) 12, new MetadataRequestData());
    for (int size = 0; size < whole.remaining(); size++) {
      decodeOrRefuse(whole.duplicate().limit(size));
    }
    for (int bit = 0; bit < whole.remaining() * 8; bit++) {
      ByteBuffer flipped = ByteBuffer.allocate(whole.remaining()).put(whole.duplicate()).flip();
      flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ 1 << bit % 8));
      decodeOrRefuse(flipped);
    }
  }

  @Test
  void noise_is_read_or_refused_at_every_api_and_version() throws Exception {
    for (long seed = 0; seed < 3; seed++) {
      Random random = new Random(seed);
      for (ApiKeys api : ApiKeys.values()) {
        for (short version : versions(api)) {
          byte[] noise = new byte[random.nextInt(300)];
          random.nextBytes(noise);
          ByteBuffer header = Frames.header(api, version);
          decodeOrRefuse(
              ByteBuffer.allocate(header.remaining() + noise.length).put(header).put(noise).flip());
        }
      }
    }
  }

  @Test
  void the_buffer_is_kept_for_byte_fields_and_let_go_at_once_otherwise() throws Exception {
    RequestDecoder decoder = new RequestDecoder(everything);
    Frames.Claim claim = new Frames.Claim();
    ByteBuffer metadata = Frames.of(ApiKeys.METADATA, (short) 12, new MetadataRequestData());
    decoder.decode(metadata, Frames.PEER, null, claim);
    assertThat(claim.releases()).isEqualTo(1);

    Frames.Claim kept = new Frames.Claim();
    ByteBuffer produce = Frames.of(ApiKeys.PRODUCE, (short) 9, new ProduceRequestData());
    Request request = decoder.decode(produce, Frames.PEER, null, kept);
    assertThat(kept.releases()).isZero();
    request.releaseBuffer();
    request.releaseBuffer();
    assertThat(kept.releases()).isEqualTo(1);

    Frames.Claim refused = new Frames.Claim();
    ByteBuffer cut = metadata.rewind().limit(metadata.limit() - 1);
    assertThatThrownBy(() -> decoder.decode(cut, Frames.PEER, null, refused))
        .isInstanceOf(BadRequestException.class);
    assertThat(refused.releases()).as("it stays the caller's").isZero();
  }

  @Test
  void a_client_id_cannot_forge_a_log_line() throws Exception {
    String evil = "a\nERROR b\u001b[31m" + "x".repeat(1000);
    RequestHeader header = new RequestHeader(ApiKeys.METADATA, (short) 1, evil, 42);
    ByteBuffer frame =
        RequestUtils.serialize(header.data(), (short) 1, new MetadataRequestData(), (short) 1);
    Request request = Frames.decode(everything, frame);
    assertThat(request.clientId()).isEqualTo(evil);
    assertThat(request.toString())
        .contains("\"a?ERROR b?[31mxxx")
        .hasSizeLessThan(450)
        .hasLineCount(1);
  }

  private void decodeOrRefuse(ByteBuffer frame) {
    try {
      Frames.decode(everything, frame);
    } catch (BadRequestException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static Iterable<Short> versions(ApiKeys api) {
    return api.hasValidVersion() ? api.allVersions() : List.of();
  }

  private static ByteBuffer repeated(byte[] pattern) {
    ByteBuffer bytes = ByteBuffer.allocate(60_000 / pattern.length * pattern.length);
    while (bytes.hasRemaining()) {
      bytes.put(pattern);
    }
    return bytes.flip();
  }
}
