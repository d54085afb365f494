package io.tidelog.net;

import io.tidelog.net.PartQueue.Progress;
import io.tidelog.protocol.BadRequestException;
import io.tidelog.protocol.FrameBuffer;
import io.tidelog.protocol.Peer;
import io.tidelog.protocol.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: reads frames, starts requests, sends answers. It belongs to one loop,
 * whose thread alone calls it. What it does when, is in the package's documentation.
 */
final class Connection implements Loop.Selectable {
  /**
   * Requests of one connection that may be under way: started, and their answers not yet handed to
   * the socket.
   */
  static final int MAX_UNSENT = 128;

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** How the system says that the other end has gone, which is no news. */
  private static final List<String> PEER_GONE =
      List.of("Broken pipe", "Connection reset", "Connection timed out");

  /** How often a connection may read before others have their turn. */
  private static final int READS_PER_TURN = 16;

  /**
   * So often a socket may be called writable and take nothing until a slice is held to have been
   * cut short.
   */
  private static final int MAX_FUTILE_WRITES = 8;

  private final Loop loop;
  private final Service service;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final Peer peer;
  private final FrameReader reader;
  private final AnswerQueue answers;
  private final FramePace pace;
  private long lastMoveNanos;
  private int futileWrites;
  private boolean inTurn;
  private boolean isQueued;
  private boolean isStarved;

  /**
   * Nothing more is read or started; the connection closes when what is under way has been sent.
   */
  private boolean isClosing;

  private boolean isOpen = true;

  Connection(Loop loop, SocketChannel channel, SelectionKey key, Peer peer) {
    this.loop = loop;
    this.service = loop.service();
    this.channel = channel;
    this.key = key;
    this.peer = peer;
    this.reader = new FrameReader(service.pool(), service.limits().maxFrameBytes());
    this.answers = new AnswerQueue(loop, service.events(), new Outbox(loop.scratch()));
    this.lastMoveNanos = loop.nanoTime();
    this.pace = new FramePace(lastMoveNanos);
  }

  /** The socket has bytes for us, or room for ours. */
  @Override
  public void selected() {
    boolean isReadable = key.isReadable();
    futileWrites += key.isWritable() ? 1 : 0;
    takeTurn(isReadable);
  }

  /** There are answers to send, or the last turn ended early. */
  void takeQueuedTurn() {
    isQueued = false;
    takeTurn(false);
  }

  /** An error of ours ended this connection's turn. */
  @Override
  public void failed(Throwable cause) {
    close();
    LOG.error("Closed the connection from {} after an error of the broker", peer, cause);
  }

  /** An answer has been given. */
  void answered(Exchange exchange) {
    answers.answered(exchange);
    if (!inTurn) {
      queueTurn();
    }
  }

  /** Tries again to get memory to read into; returns whether that is settled. */
  boolean feed() {
    try {
      if (isOpen && !reader.makeRoom()) {
        return false;
      }
    } catch (NoMemoryException e) {
      lost(e);
    }
    isStarved = false;
    pace.resume(loop.nanoTime());
    if (isOpen) {
      declareInterest();
    }
    return true;
  }

  /** Stops reading, and closes when what is under way has been sent. */
  void drain() {
    isClosing = true;
    queueTurn();
  }

  /**
   * Whether nothing has moved for so long, and it is not this side that keeps the other waiting.
   */
  boolean isIdle(long nowNanos, long idleNanos) {
    return answers.isPeersTurn() && !isStarved && nowNanos - lastMoveNanos > idleNanos;
  }

  /**
   * Whether a part of a frame holds memory and hardly any more of it comes, or came before it had
   * to wait for memory.
   */
  boolean isStalled(long nowNanos) {
    return isInsideFrame() && pace.isTooSlow(nowNanos, reader.frameBytes());
  }

  /** Closes a connection from which no more is expected. */
  void closeSilent(String reason) {
    if (isInsideFrame()) {
      LOG.warn(
          "Closed the connection from {}: {} inside a frame, after {}",
          peer,
          reason,
          reader.progress());
    } else {
      LOG.debug("Closed the connection from {}: {}", peer, reason);
    }
    close();
  }

  void close() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    key.cancel();
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("Closing the connection from {} failed", peer, e);
    }
    reader.close();
    answers.discard();
    loop.forget(this);
  }

  private void takeTurn(boolean isReadable) {
    inTurn = true;
    try {
      boolean mayHaveMore = isReadable;
      for (int reads = 0; isOpen && reads < READS_PER_TURN; reads++) {
        mayHaveMore = mayHaveMore && receive();
        work();
        if (!mayHaveMore) {
          break;
        }
      }
      if (isOpen) {
        reader.rest();
        declareInterest();
      }
    } catch (IOException e) {
      lost(e);
    } finally {
      inTurn = false;
    }
  }

  /** Reads once; returns whether more may be waiting. */
  private boolean receive() throws IOException {
    if (reader.hasNext() || isClosing) {
      return false;
    }
    if (!reader.makeRoom()) {
      isStarved = true;
      pace.pause(loop.nanoTime());
      loop.starve(this);
      return false;
    }
    boolean beginsFrame = !reader.isInsideFrame();
    int read = reader.read(channel);
    if (read < 0) {
      closeSilent("its client ended it");
      return false;
    }
    lastMoveNanos = loop.nanoTime();
    if (beginsFrame) {
      pace.restart(lastMoveNanos);
    }
    pace.received(read, lastMoveNanos);
    service.events().received(read);
    return reader.filledItsRoom();
  }

  /** Starts requests and sends answers until neither can go on. */
  private void work() throws IOException {
    do {
      while (canStart()) {
        startNext();
      }
      send();
    } while (isOpen && canStart());
  }

  private boolean canStart() {
    return reader.hasNext() && !isClosing && answers.admits(reader.nextApiKey());
  }

  private void startNext() {
    pace.restart(lastMoveNanos);
    try {
      start(decode(reader.next()));
    } catch (BadFrameException | BadRequestException e) {
      LOG.warn("Closed the connection from {}: {}", peer, e.getMessage());
      service.events().badInput();
      isClosing = true;
    }
  }

  private Request decode(ByteBuffer frame) throws BadRequestException {
    FrameBuffer claim = reader.claim();
    boolean isDecoded = false;
    try {
      Request request = service.decoder().decode(frame, peer, loop, claim);
      isDecoded = true;
      return request;
    } finally {
      if (!isDecoded) {
        claim.release();
      }
    }
  }

  private void start(Request request) {
    Exchange exchange = new Exchange(request, this, loop.nanoTime());
    answers.add(exchange);
    try {
      service.apis().handler(request.apiKey()).handle(request, exchange);
    } catch (Throwable thrown) {
      exchange.handlerThrew(thrown);
    }
  }

  private void send() throws IOException {
    if (!isOpen) {
      return;
    }
    if (answers.send(channel) > 0) {
      lastMoveNanos = loop.nanoTime();
      futileWrites = 0;
    } else if (futileWrites > MAX_FUTILE_WRITES) {
      throw new IOException("a file slice in its answer yields no more bytes");
    }
    isClosing |= answers.endsHere();
    if (isClosing && answers.isEmpty()) {
      close();
    }
  }

  /** Says what the loop should wake this connection for. */
  private void declareInterest() {
    boolean wantsBytes = !isClosing && !isStarved && !reader.hasNext();
    boolean wantsRoom = answers.progress() == Progress.BLOCKED;
    int interest =
        (wantsBytes ? SelectionKey.OP_READ : 0) | (wantsRoom ? SelectionKey.OP_WRITE : 0);
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
    if (answers.progress() == Progress.TURN_OVER) {
      queueTurn();
    }
  }

  private void queueTurn() {
    if (isOpen && !isQueued) {
      isQueued = true;
      loop.queue(this);
    }
  }

  private void lost(IOException cause) {
    String reason = String.valueOf(cause.getMessage());
    if (PEER_GONE.stream().anyMatch(reason::startsWith)) {
      closeSilent("its client is gone (" + reason + ")");
    } else {
      LOG.warn("Closed the connection from {}: {}", peer, reason);
      close();
    }
  }

  private boolean isInsideFrame() {
    return reader.isInsideFrame() && !reader.hasNext();
  }
}
