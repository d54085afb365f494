package io.tidelog.net;

import io.tidelog.net.Exchange.Outcome;
import io.tidelog.net.PartQueue.Progress;
import io.tidelog.protocol.EventLoop;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * The requests of one connection that are under way, in their order, and what of their answers the
 * socket has not taken. Answers are written only when everything before them has been sent.
 */
final class AnswerQueue {
  private final EventLoop loop;
  private final NetEvents events;
  private final Outbox outbox;
  private final Deque<Exchange> exchanges = new ArrayDeque<>();
  private int unanswered;
  private int unansweredProduces;
  private Progress progress = Progress.DONE;
  private boolean endsHere;

  AnswerQueue(EventLoop loop, NetEvents events, Outbox outbox) {
    this.loop = loop;
    this.events = events;
    this.outbox = outbox;
  }

  /** Whether a request of this API may be started now; see the package's documentation. */
  boolean admits(short apiKey) {
    if (endsHere || !outbox.isEmpty() || exchanges.size() >= Connection.MAX_UNSENT) {
      return false;
    }
    boolean onlyProducesWait = unanswered == unansweredProduces;
    return unanswered == 0
        || (onlyProducesWait && apiKey == ApiKeys.PRODUCE.id && exchanges.getLast().isAppended());
  }

  void add(Exchange exchange) {
    exchanges.add(exchange);
    unanswered++;
    unansweredProduces += exchange.isProduce() ? 1 : 0;
  }

  /** One of the requests has been answered. */
  void answered(Exchange exchange) {
    unanswered--;
    unansweredProduces -= exchange.isProduce() ? 1 : 0;
    endsHere |= exchange.outcome() == Outcome.CLOSE;
  }

  /** Whether an answer closes the connection, so that no request after it may be started. */
  boolean endsHere() {
    return endsHere;
  }

  /** Whether the next move is the peer's: to ask, or to take what waits for room in the socket. */
  boolean isPeersTurn() {
    return exchanges.isEmpty() || !outbox.isEmpty();
  }

  /** Whether nothing is under way and nothing is left to send. */
  boolean isEmpty() {
    return exchanges.isEmpty() && outbox.isEmpty();
  }

  /** How the last attempt to send ended. */
  Progress progress() {
    return progress;
  }

  /**
   * Sends the answers that are due, until there are none or the socket is full.
   *
   * @return bytes sent
   */
  long send(SocketChannel channel) throws IOException {
    push(channel);
    while (outbox.isEmpty() && isNextAnswered()) {
      outbox.begin();
      while (isNextAnswered() && !outbox.isBatchFull()) {
        write(exchanges.remove());
      }
      outbox.end();
      push(channel);
    }
    long sent = outbox.takeSentBytes();
    if (sent > 0) {
      events.sent(sent);
    }
    return sent;
  }

  /** The connection is gone: drops everything. */
  void discard() {
    outbox.discard();
    abandonAll();
  }

  private void push(SocketChannel channel) throws IOException {
    progress = outbox.send(channel);
    if (progress != Progress.DONE) {
      outbox.keep();
    }
  }

  private boolean isNextAnswered() {
    return !exchanges.isEmpty() && exchanges.peek().isAnswered();
  }

  private void write(Exchange exchange) {
    if (exchange.outcome() == Outcome.SEND) {
      writeBody(exchange);
    }
    if (exchange.outcome() == Outcome.CLOSE) {
      endsHere = true;
      abandonAll();
    }
    long elapsedNanos = loop.nanoTime() - exchange.startedNanos();
    events.answered(exchange.request().apiKey(), exchange.request().version(), elapsedNanos);
  }

  private void writeBody(Exchange exchange) {
    try {
      outbox.add(exchange.request(), exchange.body());
    } catch (RuntimeException e) {
      exchange.replaceUnwritable(e);
      if (exchange.outcome() == Outcome.SEND) {
        outbox.add(exchange.request(), exchange.body());
      }
    }
  }

  private void abandonAll() {
    exchanges.forEach(Exchange::abandon);
    exchanges.clear();
  }
}
