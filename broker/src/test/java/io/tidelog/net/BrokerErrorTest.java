package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.net.HeldRequests.Held;
import io.tidelog.protocol.RequestHandler;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Errors of the broker itself: told to the client and the log, and survived. */
class BrokerErrorTest {
  private CapturedLog log;

  @BeforeEach
  void start() {
    log = CapturedLog.start();
  }

  @AfterEach
  void stop() {
    log.close();
  }

  @Test
  void an_exception_of_a_handler_becomes_unknown_server_error_with_its_trace_in_the_log()
      throws Exception {
    assertTold(
        (request, answer) -> {
          throw new IllegalStateException("boom");
        },
        Errors.UNKNOWN_SERVER_ERROR);
    assertThat(log.linesWith("FindCoordinator v3 (correlation id 1) from 127.0.0.1")).hasSize(1);
    assertThat(log.linesWith("IllegalStateException: boom")).hasSize(1);
  }

  @Test
  void an_error_of_the_jvm_in_a_handler_is_told_and_survived() throws Exception {
    assertTold(
        (request, answer) -> {
          throw new OutOfMemoryError("pretended");
        },
        Errors.UNKNOWN_SERVER_ERROR);
    assertThat(log.linesWith("OutOfMemoryError: pretended")).hasSize(1);
  }

  @Test
  void an_api_exception_is_told_as_it_is_and_not_logged() throws Exception {
    assertTold(
        (request, answer) ->
            answer.fail(new CompletionException(new CoordinatorNotAvailableException("not yet"))),
        Errors.COORDINATOR_NOT_AVAILABLE);
    assertThat(log.linesWith("ERROR")).isEmpty();
  }

  @Test
  void an_answer_that_cannot_be_written_at_the_requests_version_becomes_an_error()
      throws Exception {
    FindCoordinatorResponseData withListThatVersion3Lacks = new FindCoordinatorResponseData();
    withListThatVersion3Lacks.coordinators().add(new FindCoordinatorResponseData.Coordinator());
    assertTold(
        (request, answer) -> answer.complete(withListThatVersion3Lacks),
        Errors.UNKNOWN_SERVER_ERROR);
    assertThat(log.linesWith("cannot be written")).hasSize(1);
  }

  @Test
  void a_second_answer_is_dropped_and_logged() throws Exception {
    assertTold(
        (request, answer) -> {
          answer.complete(new FindCoordinatorResponseData().setErrorCode(Errors.NONE.code()));
          answer.fail(new CoordinatorNotAvailableException("late"));
        },
        Errors.NONE);
    assertThat(log.linesWith("was answered twice")).hasSize(1);
  }

  @Test
  void an_exception_after_the_answer_is_logged_and_the_answer_stands() throws Exception {
    assertTold(
        (request, answer) -> {
          answer.complete(new FindCoordinatorResponseData().setErrorCode(Errors.NONE.code()));
          throw new IllegalStateException("too late");
        },
        Errors.NONE);
    assertThat(log.linesWith("failed after it had answered")).hasSize(1);
  }

  @Test
  void an_exception_at_acks_0_closes_the_connection() throws Exception {
    RequestHandler failing =
        (request, answer) -> {
          throw new IllegalStateException("boom");
        };
    try (TestServer server = TestServer.start(Map.of(ApiKeys.PRODUCE, failing));
        RawClient client = server.connect()) {
      client.sendUnanswered(
          new ProduceRequest(new ProduceRequestData().setAcks((short) 0), (short) 9));
      assertThat(client.isClosedByBroker()).isTrue();
      server.goRound(1);
    }
  }

  @Test
  void a_task_that_fails_does_not_end_the_loop() throws Exception {
    HeldRequests held = new HeldRequests();
    try (TestServer server = TestServer.start(Map.of(ApiKeys.FIND_COORDINATOR, held));
        RawClient client = server.connect()) {
      client.send(findCoordinator());
      Held asked = held.take();
      CompletableFuture<Void> ran = new CompletableFuture<>();
      asked
          .request()
          .loop()
          .execute(
              () -> {
                asked.request().loop().schedule(() -> ran.complete(null), 1);
                throw new StackOverflowError("pretended");
              });
      ran.get();
      asked.answer().complete(new FindCoordinatorResponseData());
      client.receive();
      assertThat(log.linesWith("goes on after an error of the broker")).hasSize(1);
    }
  }

  @Test
  void a_timeout_asked_for_outside_of_the_loop_is_a_mistake() throws Exception {
    HeldRequests held = new HeldRequests();
    try (TestServer server = TestServer.start(Map.of(ApiKeys.FIND_COORDINATOR, held));
        RawClient client = server.connect()) {
      client.send(findCoordinator());
      Held asked = held.take();
      assertThat(asked.request().loop().isCurrent()).isFalse();
      assertThatThrownBy(() -> asked.request().loop().schedule(() -> {}, 1))
          .isInstanceOf(IllegalStateException.class);
      asked.answer().complete(new FindCoordinatorResponseData());
      client.receive();
    }
  }

  @Test
  void who_waits_is_told_when_its_client_goes() throws Exception {
    CompletableFuture<Boolean> abandoned = new CompletableFuture<>();
    RequestHandler waits =
        (request, answer) ->
            answer.whenAbandoned(() -> abandoned.complete(request.loop().isCurrent()));
    try (TestServer server = TestServer.start(Map.of(ApiKeys.FIND_COORDINATOR, waits))) {
      RawClient client = server.connect();
      client.send(findCoordinator());
      server.goRound(2);
      client.close();
      assertThat(abandoned.get()).as("told on the loop").isTrue();
    }
  }

  private static void assertTold(RequestHandler handler, Errors expected) throws Exception {
    try (TestServer server = TestServer.start(Map.of(ApiKeys.FIND_COORDINATOR, handler));
        RawClient client = server.connect()) {
      FindCoordinatorResponse response =
          client.call(findCoordinator(), FindCoordinatorResponse.class);
      assertThat(response.data().errorCode()).isEqualTo(expected.code());
      server.goRound(1);
    }
  }

  private static FindCoordinatorRequest findCoordinator() {
    return new FindCoordinatorRequest.Builder(new FindCoordinatorRequestData().setKey("group"))
        .build((short) 3);
  }
}
