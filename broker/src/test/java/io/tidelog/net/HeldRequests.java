package io.tidelog.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A handler that answers nothing itself: the test takes the requests and answers them. */
final class HeldRequests implements RequestHandler {
  private final BlockingQueue<Held> started = new LinkedBlockingQueue<>();
  private final boolean keepsBuffers;

  private HeldRequests(boolean keepsBuffers) {
    this.keepsBuffers = keepsBuffers;
  }

  /** Its requests need their bytes no more, as a produce request whose batches are written. */
  HeldRequests() {
    this(false);
  }

  /** Its requests hold their bytes until they are answered. */
  static HeldRequests keepingBuffers() {
    return new HeldRequests(true);
  }

  record Held(Request request, Answer answer) {}

  @Override
  public void handle(Request request, Answer answer) {
    if (!keepsBuffers) {
      request.releaseBuffer();
    }
    started.add(new Held(request, answer));
  }

  /** The next request that was started, in order. */
  Held take() throws InterruptedException {
    Held held = started.poll(RawClient.TIMEOUT_MS, TimeUnit.MILLISECONDS);
    assertThat(held).as("a request that the server has started").isNotNull();
    return held;
  }

  int size() {
    return started.size();
  }
}
