package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.net.HeldRequests.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.Test;

class ReceiveMemoryTest {
  private static final int MEMORY_BYTES = 64 << 10;
  private static final int MUCH_MEMORY_BYTES = 512 << 10;

  @Test
  void reading_pauses_while_the_memory_is_spent_and_goes_on_when_it_is_free() throws Exception {
    List<RawClient> holders = new ArrayList<>();
    try (TestServer server = start();
        RawClient waiting = server.connect()) {
      for (int i = 0; i < 17; i++) {
        RawClient holder = server.connect();
        holders.add(holder);
        holder.sendBytes(firstHalf(holder.frame(TestServer.ask("holder" + i))));
      }
      assertThat(server.events().awaitMemorySpent()).isTrue();
      server.awaitReceiveMemory(MEMORY_BYTES);
      waiting.send(TestServer.ask("waiting"));

      holders.get(0).close();
      holders.get(1).close();
      assertThat(TestServer.echoed(waiting.receive())).isEqualTo("waiting");
    } finally {
      for (RawClient holder : holders) {
        holder.close();
      }
    }
  }

  @Test
  void frames_that_together_exceed_the_memory_are_all_answered() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    List<byte[]> frames = new ArrayList<>();
    try (TestServer server = start()) {
      for (int i = 0; i < 6; i++) {
        RawClient client = server.connect();
        clients.add(client);
        frames.add(client.frame(longRequest(50_000 + i)));
        client.sendBytes(firstHalf(frames.get(i)));
      }
      assertThat(server.events().awaitMemorySpent()).isTrue();
      for (int i = 0; i < 6; i++) {
        byte[] frame = frames.get(i);
        clients.get(i).sendBytes(Arrays.copyOfRange(frame, frame.length / 2, frame.length));
      }
      for (RawClient client : clients) {
        assertThat(TestServer.echoed(client.receive())).startsWith("long");
        client.close();
      }
      server.goRound(3);
      server.awaitReceiveMemory(0);
    }
  }

  @Test
  void a_frame_longer_than_all_the_memory_is_answered() throws Exception {
    try (TestServer server = start();
        RawClient client = server.connect()) {
      assertThat(TestServer.echoed(client.call(longRequest(3_000_000)))).startsWith("long");
    }
  }

  @Test
  void a_frame_that_stands_still_while_others_wait_for_memory_is_dropped() throws Exception {
    List<RawClient> holders = new ArrayList<>();
    try (TestServer server = start();
        CapturedLog log = CapturedLog.start();
        RawClient waiting = server.connect()) {
      for (int i = 0; i < 17; i++) {
        RawClient holder = server.connect();
        holders.add(holder);
        holder.sendBytes(firstHalf(holder.frame(TestServer.ask("holder"))));
      }
      assertThat(server.events().awaitMemorySpent()).isTrue();
      waiting.send(TestServer.ask("waiting"));
      server.advanceMs(11_000);
      assertThat(TestServer.echoed(waiting.receive())).isEqualTo("waiting");
      assertThat(log.linesWith("too little came of it while the receive memory is spent"))
          .isNotEmpty();
    } finally {
      for (RawClient holder : holders) {
        holder.close();
      }
    }
  }

  @Test
  void short_requests_are_answered_while_long_frames_hold_the_memory() throws Exception {
    List<RawClient> holders = new ArrayList<>();
    try (TestServer server = start(MUCH_MEMORY_BYTES);
        RawClient client = server.connect()) {
      holdAllMemory(server, holders);
      assertThat(TestServer.echoed(client.call(TestServer.ask("short")))).isEqualTo("short");
    } finally {
      for (RawClient holder : holders) {
        holder.close();
      }
    }
  }

  @Test
  void a_frame_that_comes_byte_by_byte_while_others_wait_for_memory_is_dropped() throws Exception {
    List<RawClient> holders = new ArrayList<>();
    try (TestServer server = start(MUCH_MEMORY_BYTES);
        CapturedLog log = CapturedLog.start()) {
      holdAllMemory(server, holders);
      String dropped = "too little came of it while the receive memory is spent";
      for (int i = 0; i < 20 && log.linesWith(dropped).isEmpty(); i++) {
        server.advanceMs(4_000);
        for (RawClient holder : holders) {
          sendIfNotDropped(holder);
        }
        server.goRound(1);
      }
      assertThat(log.linesWith(dropped)).isNotEmpty();
    } finally {
      for (RawClient holder : holders) {
        holder.close();
      }
    }
  }

  @Test
  void long_frames_that_go_on_slowly_give_way_to_one_that_waits_for_memory() throws Exception {
    List<RawClient> holders = new ArrayList<>();
    try (TestServer server = start(MUCH_MEMORY_BYTES);
        RawClient waiting = server.connect()) {
      byte[] announced = ByteBuffer.allocate(70_000).putInt(50 << 20).array();
      for (int i = 0; i < 15; i++) {
        RawClient holder = server.connect();
        holders.add(holder);
        holder.sendBytes(announced);
      }
      assertThat(server.events().awaitMemorySpent()).isTrue();
      waiting.send(longRequest(100_000));
      for (int i = 0; i < 3; i++) {
        server.advanceMs(1_000);
        for (RawClient holder : holders) {
          sendIfNotDropped(holder);
        }
      }
      assertThat(TestServer.echoed(waiting.receive())).startsWith("long");
    } finally {
      for (RawClient holder : holders) {
        holder.close();
      }
    }
  }

  private static void sendIfNotDropped(RawClient holder) {
    try {
      holder.sendBytes(new byte[1]);
    } catch (IOException dropped) {
      // That is what is waited for.
    }
  }

  private static void holdAllMemory(TestServer server, List<RawClient> holders) throws Exception {
    for (int i = 0; i < 6; i++) {
      RawClient holder = server.connect();
      holders.add(holder);
      holder.sendBytes(firstHalf(holder.frame(longRequest(250_000))));
    }
    assertThat(server.events().awaitMemorySpent()).isTrue();
  }

  @Test
  void the_bytes_of_a_request_stay_until_it_is_answered_or_lets_them_go() throws Exception {
    HeldRequests produces = HeldRequests.keepingBuffers();
    try (TestServer server = TestServer.start(Map.of(ApiKeys.PRODUCE, produces));
        RawClient client = server.connect()) {
      client.send(produce());
      Held first = produces.take();
      server.goRound(2);
      assertThat(server.server().receiveMemoryUsedBytes()).isPositive();
      first.request().releaseBuffer();
      first.request().releaseBuffer();
      server.awaitReceiveMemory(0);
      first.answer().complete(new ProduceResponseData());
      client.receive();

      client.send(produce());
      produces.take().answer().complete(new ProduceResponseData());
      client.receive();
      server.goRound(2);
      server.awaitReceiveMemory(0);
    }
  }

  @Test
  void a_request_without_byte_fields_holds_no_memory_while_it_waits() throws Exception {
    HeldRequests fetches = new HeldRequests();
    try (TestServer server = TestServer.start(Map.of(ApiKeys.FETCH, fetches));
        RawClient client = server.connect()) {
      client.send(TestSlice.fetch());
      Held waiting = fetches.take();
      server.goRound(2);
      server.awaitReceiveMemory(0);
      waiting.answer().complete(TestSlice.answer());
      client.receive();
    }
  }

  private static TestServer start() throws IOException {
    return start(MEMORY_BYTES);
  }

  private static TestServer start(int memoryBytes) throws IOException {
    return TestServer.start(
        Map.of(ApiKeys.METADATA, TestServer::echo),
        TestServer.limits(old -> old.withReceiveMemoryBytes(memoryBytes)));
  }

  private static ProduceRequest produce() {
    return new ProduceRequest(new ProduceRequestData().setAcks((short) 1), (short) 9);
  }

  private static MetadataRequest longRequest(int sizeBytes) {
    MetadataRequestData data = new MetadataRequestData();
    data.topics().add(new MetadataRequestTopic().setName("long" + sizeBytes));
    String filler = "x".repeat(10_000);
    for (int size = 0; size < sizeBytes; size += filler.length()) {
      data.topics().add(new MetadataRequestTopic().setName(filler));
    }
    return new MetadataRequest(data, (short) 9);
  }

  private static byte[] firstHalf(byte[] frame) {
    return Arrays.copyOf(frame, frame.length / 2);
  }
}
