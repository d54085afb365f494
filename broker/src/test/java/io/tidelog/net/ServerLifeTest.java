package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.net.HeldRequests.Held;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.protocol.RequestHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.Test;

class ServerLifeTest {
  private static final Map<ApiKeys, RequestHandler> ECHO =
      Map.of(ApiKeys.METADATA, TestServer::echo);

  @Test
  void starting_and_closing_leaves_no_thread_and_frees_the_port() throws Exception {
    InetSocketAddress address = null;
    for (int i = 0; i < 5; i++) {
      InetSocketAddress again = address;
      TestServer server =
          TestServer.start(
              ECHO,
              settings ->
                  again == null
                      ? settings.withLoops(3)
                      : new NetSettings(
                          again, "PLAINTEXT", 3, settings.limits(), settings.sockets()));
      address = server.server().address();
      List<RawClient> clients = new ArrayList<>();
      for (int n = 0; n < 7; n++) {
        RawClient client = server.connect();
        clients.add(client);
        assertThat(TestServer.echoed(client.call(TestServer.ask("t" + n)))).isEqualTo("t" + n);
      }
      assertThat(loopThreads()).isEqualTo(3);
      assertThat(server.server().openConnections()).isEqualTo(7);
      server.close();
      assertThat(loopThreads()).isZero();
      assertThat(server.server().openConnections()).isZero();
      for (RawClient client : clients) {
        assertThat(client.isClosedByBroker()).isTrue();
        client.close();
      }
      server.close();
    }
  }

  @Test
  void two_hundred_connections_are_served_side_by_side() throws Exception {
    try (TestServer server = TestServer.start(ECHO, settings -> settings.withLoops(2))) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        clients.add(server.connect());
      }
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 200; i++) {
          clients.get(i).send(TestServer.ask(round + "-" + i));
        }
        for (int i = 199; i >= 0; i--) {
          assertThat(TestServer.echoed(clients.get(i).receive())).isEqualTo(round + "-" + i);
        }
      }
      for (RawClient client : clients) {
        client.close();
      }
      assertThat(server.events().opened).hasValue(200);
    }
  }

  @Test
  void bytes_that_come_one_at_a_time_make_a_request() throws Exception {
    try (TestServer server = TestServer.start(ECHO);
        RawClient client = server.connect()) {
      for (String topic : List.of("one", "two", "three")) {
        for (byte each : client.frame(TestServer.ask(topic))) {
          client.sendBytes(new byte[] {each});
        }
        assertThat(TestServer.echoed(client.receive())).isEqualTo(topic);
      }
    }
  }

  @Test
  void answers_longer_than_the_sending_buffer_arrive_whole() throws Exception {
    String longName = "x".repeat(20_000);
    try (TestServer server =
            TestServer.start(
                Map.of(
                    ApiKeys.METADATA,
                    (request, answer) ->
                        answer.complete(TestServer.echoOf(request).setClusterId(longName))));
        RawClient client = server.connect(16 << 10)) {
      for (int i = 0; i < 100; i++) {
        client.send(TestServer.ask("t"));
      }
      for (int i = 0; i < 100; i++) {
        assertThat(TestServer.echoed(client.receive())).isEqualTo(longName);
      }
    }
  }

  @Test
  void a_closing_server_sends_the_answers_under_way() throws Exception {
    HeldRequests held = new HeldRequests();
    try (TestServer server = TestServer.start(Map.of(ApiKeys.METADATA, held));
        RawClient client = server.connect()) {
      client.send(TestServer.ask("under way"));
      Held asked = held.take();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
      assertThatThrownBy(() -> connectUntilRefused(server.server().address()))
          .isInstanceOf(IOException.class);
      asked.answer().complete(TestServer.echoOf(asked.request()));
      assertThat(TestServer.echoed(client.receive())).isEqualTo("under way");
      assertThat(client.isClosedByBroker()).isTrue();
      closing.get(RawClient.TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void a_closing_server_does_not_wait_for_ever() throws Exception {
    HeldRequests held = new HeldRequests();
    TestServer server =
        TestServer.start(
            Map.of(ApiKeys.METADATA, held), TestServer.limits(old -> old.withDrainMs(50)));
    try (RawClient client = server.connect()) {
      client.send(TestServer.ask("never answered"));
      Held asked = held.take();
      CompletableFuture<Void> abandoned = new CompletableFuture<>();
      asked
          .request()
          .loop()
          .execute(() -> asked.answer().whenAbandoned(() -> abandoned.complete(null)));
      server.close();
      assertThat(client.isClosedByBroker()).isTrue();
      assertThat(abandoned).isDone();
      assertThat(loopThreads()).isZero();
      assertThatThrownBy(() -> asked.request().loop().execute(() -> {}))
          .isInstanceOf(RejectedExecutionException.class);
      asked.answer().complete(TestServer.echoOf(asked.request()));
    }
  }

  @Test
  void a_port_in_use_is_named_with_what_to_do() throws Exception {
    try (TestServer server = TestServer.start(ECHO)) {
      InetSocketAddress taken = server.server().address();
      assertThatThrownBy(() -> listenOn(taken))
          .isInstanceOf(ListenException.class)
          .hasMessageStartingWith(
              "Cannot listen on " + taken.getHostString() + ":" + taken.getPort())
          .hasMessageContaining("another program uses that port")
          .hasMessageContaining("choose another port");
    }
  }

  @Test
  void an_address_that_is_not_here_is_named_with_what_to_do() {
    assertThatThrownBy(() -> listenOn(new InetSocketAddress("192.0.2.1", 0)))
        .isInstanceOf(ListenException.class)
        .hasMessageContaining("192.0.2.1:0")
        .hasMessageContaining("this machine has no such address");
    assertThatThrownBy(
            () -> listenOn(InetSocketAddress.createUnresolved("no.such.host.invalid", 9092)))
        .isInstanceOf(ListenException.class)
        .hasMessageContaining("no.such.host.invalid:9092")
        .hasMessageContaining("no address is known");
  }

  @Test
  void connections_beyond_the_limit_wait_until_one_closes() throws Exception {
    try (TestServer server =
            TestServer.start(ECHO, TestServer.limits(old -> old.withMaxConnections(2)));
        CapturedLog log = CapturedLog.start()) {
      RawClient first = server.connect();
      RawClient second = server.connect();
      first.call(TestServer.ask("a"));
      second.call(TestServer.ask("b"));
      try (RawClient third = server.connect()) {
        third.send(TestServer.ask("c"));
        first.call(TestServer.ask("a"));
        second.call(TestServer.ask("b"));
        assertThat(server.events().opened).hasValue(2);
        assertThat(log.linesWith("max.connections")).hasSize(1);
        first.close();
        assertThat(TestServer.echoed(third.receive())).isEqualTo("c");
      }
      second.close();
    }
  }

  @Test
  void an_idle_connection_is_closed_and_one_that_waits_for_its_answer_is_not() throws Exception {
    HeldRequests held = new HeldRequests();
    try (TestServer server =
            TestServer.start(
                Map.of(ApiKeys.METADATA, held), TestServer.limits(old -> old.withIdleMs(600_000)));
        RawClient idle = server.connect();
        RawClient waiting = server.connect()) {
      waiting.send(TestServer.ask("w"));
      Held asked = held.take();
      server.goRound(1);
      server.advanceMs(700_000);
      server.goRound(3);
      assertThat(idle.isClosedByBroker()).isTrue();
      asked.answer().complete(TestServer.echoOf(asked.request()));
      assertThat(TestServer.echoed(waiting.receive())).isEqualTo("w");
    }
  }

  @Test
  void a_client_that_stops_reading_is_idle_though_more_answers_wait() throws Exception {
    HeldRequests held = new HeldRequests();
    try (TestServer server =
            TestServer.start(
                Map.of(ApiKeys.PRODUCE, held), TestServer.limits(old -> old.withIdleMs(600_000)));
        RawClient stuck = server.connect(16 << 10)) {
      ProduceRequest request =
          new ProduceRequest(new ProduceRequestData().setAcks((short) 1), (short) 9);
      List<Held> asked = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        stuck.send(request);
        asked.add(held.take());
      }
      for (Held each : asked.subList(0, 99)) {
        each.answer().complete(longAnswer());
      }
      CompletableFuture<Void> abandoned = new CompletableFuture<>();
      Answer last = asked.get(99).answer();
      asked
          .get(99)
          .request()
          .loop()
          .execute(() -> last.whenAbandoned(() -> abandoned.complete(null)));
      server.goRound(2);
      assertThat(abandoned).isNotDone();
      server.advanceMs(700_000);
      server.goRound(3);
      assertThat(abandoned).isDone();
    }
  }

  private static ProduceResponseData longAnswer() {
    ProduceResponseData answer = new ProduceResponseData();
    TopicProduceResponse topic = new TopicProduceResponse().setName("t");
    topic
        .partitionResponses()
        .add(new PartitionProduceResponse().setErrorMessage("x".repeat(30_000)));
    for (int i = 0; i < 10; i++) {
      topic.partitionResponses().add(topic.partitionResponses().get(0));
    }
    answer.responses().add(topic);
    return answer;
  }

  private static void connectUntilRefused(InetSocketAddress address) throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RawClient.TIMEOUT_MS);
    while (System.nanoTime() < deadlineNanos) {
      try (Socket socket = new Socket()) {
        socket.connect(address, RawClient.TIMEOUT_MS);
      }
    }
  }

  private static void listenOn(InetSocketAddress address) throws IOException {
    OfferedApis apis = OfferedApis.builder(TestServer.FACTS).build();
    Server.start(NetSettings.listeningOn(address), apis, NetEvents.NONE, System::nanoTime).close();
  }

  private static long loopThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tidelog-loop"))
        .count();
  }
}
