package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.net.HeldRequests.Held;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.Test;

class AnswerOrderTest {
  private final HeldRequests produces = new HeldRequests();
  private final HeldRequests metadata = new HeldRequests();

  @Test
  void answers_given_in_reverse_by_another_thread_leave_in_the_order_of_the_requests()
      throws Exception {
    try (TestServer server = start();
        RawClient client = server.connect()) {
      for (int i = 0; i < 5; i++) {
        client.send(produce(1));
      }
      List<Held> held = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        held.add(produces.take());
      }
      for (int i = 4; i >= 0; i--) {
        held.get(i).answer().complete(new ProduceResponseData().setThrottleTimeMs(100 + i));
      }
      for (int i = 0; i < 5; i++) {
        assertThat(client.receive().throttleTimeMs()).isEqualTo(100 + i);
      }
    }
  }

  @Test
  void a_produce_waits_until_the_one_before_it_has_been_written() throws Exception {
    HeldRequests unwritten = HeldRequests.keepingBuffers();
    try (TestServer server = TestServer.start(Map.of(ApiKeys.PRODUCE, unwritten));
        RawClient client = server.connect()) {
      client.send(produce(1));
      client.send(produce(1));
      Held first = unwritten.take();
      server.goRound(10);
      assertThat(unwritten.size()).isZero();

      first.answer().complete(new ProduceResponseData());
      unwritten.take().answer().complete(new ProduceResponseData());
      client.receive();
      client.receive();
    }
  }

  @Test
  void nothing_but_a_produce_overtakes_a_waiting_produce() throws Exception {
    try (TestServer server = start();
        RawClient client = server.connect()) {
      client.send(produce(1));
      client.send(produce(1));
      client.send(TestServer.ask("later"));
      client.send(produce(1));
      Held first = produces.take();
      Held second = produces.take();
      server.goRound(10);
      assertThat(metadata.size() + produces.size()).isZero();

      first.answer().complete(new ProduceResponseData());
      server.goRound(10);
      assertThat(metadata.size() + produces.size()).isZero();

      second.answer().complete(new ProduceResponseData());
      Held later = metadata.take();
      server.goRound(10);
      assertThat(produces.size()).isZero();

      later.answer().complete(TestServer.echoOf(later.request()));
      produces.take().answer().complete(new ProduceResponseData());
      client.receive();
      client.receive();
      assertThat(TestServer.echoed(client.receive())).isEqualTo("later");
      client.receive();
    }
  }

  @Test
  void requests_sent_together_are_answered_together() throws Exception {
    try (TestServer server = TestServer.start(Map.of(ApiKeys.METADATA, TestServer::echo));
        RawClient client = server.connect()) {
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      for (int i = 0; i < 60; i++) {
        MetadataRequest request = TestServer.ask("t" + i);
        frames.write(client.frame(request));
      }
      client.sendBytes(frames.toByteArray());
      for (int i = 0; i < 60; i++) {
        assertThat(TestServer.echoed(client.receive())).isEqualTo("t" + i);
      }
      assertThat(server.events().sends.get()).isLessThanOrEqualTo(3);
      assertThat(server.events().answered.get()).isEqualTo(60);
    }
  }

  @Test
  void answers_that_become_ready_while_the_loop_is_busy_leave_in_one_write() throws Exception {
    try (TestServer server = start();
        RawClient client = server.connect()) {
      List<Held> held = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        client.send(produce(1));
        held.add(produces.take());
      }
      CountDownLatch isBusy = new CountDownLatch(1);
      CountDownLatch mayGoOn = new CountDownLatch(1);
      held.get(0)
          .request()
          .loop()
          .execute(
              () -> {
                isBusy.countDown();
                await(mayGoOn);
              });
      await(isBusy);
      held.forEach(each -> each.answer().complete(new ProduceResponseData()));
      assertThat(server.events().sends.get()).isZero();
      mayGoOn.countDown();
      for (int i = 0; i < 40; i++) {
        client.receive();
      }
      CountDownLatch isDone = new CountDownLatch(1);
      held.get(0).request().loop().execute(isDone::countDown);
      await(isDone);
      assertThat(server.events().sends.get()).isEqualTo(1);
    }
  }

  @Test
  void acks_0_sends_nothing_and_the_next_answer_is_the_next_requests() throws Exception {
    try (TestServer server = start();
        RawClient client = server.connect()) {
      client.sendUnanswered(produce(0));
      client.send(TestServer.ask("next"));
      produces.take().answer().none();
      Held next = metadata.take();
      next.answer().complete(TestServer.echoOf(next.request()));
      assertThat(TestServer.echoed(client.receive())).isEqualTo("next");
    }
  }

  @Test
  void an_error_at_acks_0_closes_the_connection_after_the_answers_before_it() throws Exception {
    try (TestServer server = start();
        RawClient client = server.connect()) {
      client.send(produce(1));
      client.sendUnanswered(produce(0));
      client.sendUnanswered(produce(1));
      Held first = produces.take();
      Held failing = produces.take();
      Held dropped = produces.take();
      failing.answer().closeConnection();
      dropped.answer().complete(new ProduceResponseData());
      server.goRound(5);
      first.answer().complete(new ProduceResponseData().setThrottleTimeMs(7));
      assertThat(client.receive().throttleTimeMs()).isEqualTo(7);
      assertThat(client.isClosedByBroker()).isTrue();
    }
  }

  @Test
  void no_request_is_started_after_one_that_closes_the_connection() throws Exception {
    try (TestServer server =
            TestServer.start(
                Map.of(
                    ApiKeys.PRODUCE,
                    (request, answer) -> answer.closeConnection(),
                    ApiKeys.METADATA,
                    metadata));
        RawClient client = server.connect()) {
      byte[] failing = client.frame(produce(0));
      byte[] after = client.frame(TestServer.ask("never"));
      client.sendBytes(
          ByteBuffer.allocate(failing.length + after.length).put(failing).put(after).array());
      assertThat(client.isClosedByBroker()).isTrue();
      assertThat(metadata.size()).isZero();
    }
  }

  private TestServer start() throws Exception {
    return TestServer.start(Map.of(ApiKeys.PRODUCE, produces, ApiKeys.METADATA, metadata));
  }

  private static ProduceRequest produce(int acks) {
    return new ProduceRequest(new ProduceRequestData().setAcks((short) acks), (short) 9);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
