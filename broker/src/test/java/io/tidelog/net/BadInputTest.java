package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever a peer sends, it loses at most its own connection, for one line in the log. */
class BadInputTest {
  private static final long IDLE_MS = 60_000;
  private static final int METADATA = 3;

  private TestServer server;
  private CapturedLog log;

  @BeforeEach
  void start() throws IOException {
    server =
        TestServer.start(
            Map.of(ApiKeys.METADATA, TestServer::echo),
            TestServer.limits(old -> old.withIdleMs(IDLE_MS)));
    log = CapturedLog.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.goRound(1);
    server.close();
    log.close();
    assertThat(log.linesWith("ERROR")).isEmpty();
    assertThat(log.linesWith("\tat ")).as("stack traces").isEmpty();
  }

  @Test
  void an_http_request_is_named() throws Exception {
    assertClosed(
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        "an HTTP request (\"GET\")");
    assertClosed(
        "POST /topics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        "an HTTP request (\"POST\")");
  }

  @Test
  void a_tls_handshake_is_named() throws Exception {
    byte[] clientHello =
        ByteBuffer.allocate(300).put(new byte[] {0x16, 3, 1, 1, 0x27, 1, 0, 1, 0x23, 3, 3}).array();
    assertClosed(clientHello, "a TLS handshake");
  }

  @Test
  void a_length_that_no_frame_has_is_named() throws Exception {
    assertClosed(length(-1), "a frame of -1 bytes is announced");
    assertClosed(length(Integer.MIN_VALUE), "a frame of -2147483648 bytes is announced");
    assertClosed(length(0), "a frame of 0 bytes is announced");
    assertClosed(length(Integer.MAX_VALUE), "a frame of 2147483647 bytes is announced");
    assertClosed(length(104857601), "from 1 to 104857600 are allowed (socket.request.max.bytes)");
  }

  @Test
  void a_long_frame_announced_and_silence_cost_one_small_buffer_until_the_idle_time_is_over()
      throws Exception {
    try (RawClient client = server.connect()) {
      client.sendBytes(length(104857600));
      client.sendBytes(new byte[10]);
      server.goRound(3);
      server.awaitReceiveMemory(BufferPool.SMALLEST_BYTES);
      server.advanceMs(2 * IDLE_MS);
      server.goRound(3);
      assertThat(client.isClosedByBroker()).isTrue();
      assertOneLine(client, "inside a frame, after 14 of 104857604 bytes");
    }
    server.awaitReceiveMemory(0);
  }

  @Test
  void half_a_frame_and_the_end_are_one_line_and_no_memory() throws Exception {
    RawClient client = server.connect();
    client.sendBytes(length(100));
    client.sendBytes(new byte[50]);
    client.close();
    server.goRound(3);
    assertOneLine(client, "inside a frame, after 54 of 104 bytes");
    server.awaitReceiveMemory(0);
  }

  @Test
  void half_a_frame_and_a_reset_are_one_line_too() throws Exception {
    RawClient client = server.connect();
    client.sendBytes(length(100));
    server.goRound(1);
    client.vanish();
    server.goRound(3);
    assertOneLine(client, "inside a frame, after 4 of 104 bytes");
  }

  @Test
  void a_connection_without_a_byte_is_no_news() throws Exception {
    RawClient client = server.connect();
    client.close();
    server.goRound(3);
    assertThat(log.linesAbout(client)).isEmpty();
  }

  @Test
  void a_frame_that_is_no_request_is_named() throws Exception {
    assertFrameRefused(
        ByteBuffer.allocate(3), "a frame of 3 bytes, too short for a request header");
    assertFrameRefused(header(999, 0), "unknown API key 999 (version 0)");
    assertFrameRefused(header(-1, 0), "unknown API key -1");
    assertFrameRefused(header(4, 0), "a request for LeaderAndIsr v0, not offered");
    assertFrameRefused(header(ApiKeys.FETCH.id, 12), "a request for Fetch v12, not offered");
    assertFrameRefused(header(METADATA, 14), "a request for Metadata v14, offered v0 to v13");
    assertFrameRefused(header(METADATA, -1), "a request for Metadata v-1, offered v0 to v13");
    assertFrameRefused(
        header(METADATA, 1), "a Metadata v1 request that cannot be read: it ends too early");
    ByteBuffer longName =
        ByteBuffer.allocate(12).putShort((short) METADATA).putShort((short) 1).putInt(7);
    assertFrameRefused(
        longName.putShort((short) 5000).rewind(), "a request header that cannot be read");
  }

  @Test
  void an_array_longer_than_its_frame_is_refused_before_it_is_allocated() throws Exception {
    ByteBuffer classic =
        ByteBuffer.allocate(14).put(header(METADATA, 1)).putInt(Integer.MAX_VALUE).flip();
    assertFrameRefused(classic, "a Metadata v1 request that cannot be read");
    ByteBuffer compact =
        ByteBuffer.allocate(16)
            .put(header(METADATA, 9))
            .put(new byte[] {0, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7})
            .flip();
    assertFrameRefused(compact, "a Metadata v9 request that cannot be read");
  }

  @Test
  void requests_before_the_bad_one_are_answered() throws Exception {
    try (RawClient client = server.connect()) {
      byte[] good = client.frame(TestServer.ask("good"));
      byte[] bad = "GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);
      client.sendBytes(ByteBuffer.allocate(good.length + bad.length).put(good).put(bad).array());
      assertThat(TestServer.echoed(client.receive())).isEqualTo("good");
      assertThat(client.isClosedByBroker()).isTrue();
      assertOneLine(client, "an HTTP request");
    }
  }

  @Test
  void a_null_client_id_and_an_empty_one_are_the_same() throws Exception {
    HeldRequests held = new HeldRequests();
    try (TestServer other = TestServer.start(Map.of(ApiKeys.METADATA, held));
        RawClient client = other.connect()) {
      for (String clientId : new String[] {null, ""}) {
        client.as(clientId).send(TestServer.ask("t"));
        HeldRequests.Held asked = held.take();
        assertThat(asked.request().clientId()).isEmpty();
        asked.answer().complete(TestServer.echoOf(asked.request()));
        assertThat(TestServer.echoed(client.receive())).isEqualTo("t");
      }
    }
  }

  @Test
  void an_api_versions_request_too_new_leaves_the_connection_usable() throws Exception {
    try (RawClient client = server.connect()) {
      ByteBuffer tooNew =
          ByteBuffer.allocate(62)
              .putShort(ApiKeys.API_VERSIONS.id)
              .putShort((short) 127)
              .putInt(77);
      client.sendFrame(
          tooNew.putShort((short) 1).put((byte) 'x').put((byte) 0).put(junk(50)).flip());
      ByteBuffer answer = client.receiveFrame();
      assertThat(answer.getInt()).as("correlation id, header version 0").isEqualTo(77);
      assertThat(answer.getShort()).as("UNSUPPORTED_VERSION").isEqualTo((short) 35);
      assertThat(answer.getInt()).as("APIs").isEqualTo(1);
      assertThat(List.of(answer.getShort(), answer.getShort(), answer.getShort()))
          .containsExactly(ApiKeys.API_VERSIONS.id, (short) 0, (short) 5);
      assertThat(answer.remaining()).isZero();

      for (short version : new short[] {0, 3}) {
        ApiVersionsResponse response =
            client.call(new ApiVersionsRequest.Builder().build(version), ApiVersionsResponse.class);
        assertThat(response.data().errorCode()).isZero();
      }
      assertThat(log.linesAbout(client)).isEmpty();
    }
  }

  @Test
  void noise_never_harms_the_server() throws Exception {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      byte[] noise = new byte[1 + random.nextInt(200)];
      random.nextBytes(noise);
      ByteBuffer frame = ByteBuffer.wrap(noise);
      if (noise.length > 4) {
        frame
            .putShort(0, random.nextBoolean() ? METADATA : ApiKeys.API_VERSIONS.id)
            .putShort(2, (short) random.nextInt(14));
      }
      RawClient client = server.connect();
      client.sendFrame(frame);
      client.close();
    }
    server.awaitReceiveMemory(0);
  }

  private void assertClosed(byte[] bytes, String line) throws IOException {
    try (RawClient client = server.connect()) {
      client.sendBytes(bytes);
      assertThat(client.isClosedByBroker()).isTrue();
      assertOneLine(client, line);
    }
  }

  private void assertFrameRefused(ByteBuffer frame, String line) throws IOException {
    try (RawClient client = server.connect()) {
      client.sendFrame(frame);
      assertThat(client.isClosedByBroker()).isTrue();
      assertOneLine(client, line);
    }
  }

  private void assertOneLine(RawClient client, String holding) {
    assertThat(log.linesAbout(client)).singleElement().asString().contains("WARN", holding);
  }

  private static byte[] length(int length) {
    return ByteBuffer.allocate(4).putInt(length).array();
  }

  /** A request header, version 1, with the client id "". */
  private static ByteBuffer header(int api, int version) {
    return ByteBuffer.allocate(10)
        .putShort((short) api)
        .putShort((short) version)
        .putInt(7)
        .putShort((short) 0)
        .flip();
  }

  private static byte[] junk(int count) {
    byte[] junk = new byte[count];
    new Random(5).nextBytes(junk);
    return junk;
  }
}
