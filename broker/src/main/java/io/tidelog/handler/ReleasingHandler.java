package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;

/**
 * Lets the receive buffer go before a handler that may wait for long: for messages that hold no
 * view of it, since their byte fields are copied when they are read.
 */
record ReleasingHandler(RequestHandler handler) implements RequestHandler {

  @Override
  public void handle(Request request, Answer answer) {
    request.releaseBuffer();
    handler.handle(request, answer);
  }
}
