package io.tidelog.net;

import io.tidelog.protocol.Peer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections on the first loop and deals them out to all. Its thread alone calls, where
 * not said.
 */
final class Acceptor implements Loop.Selectable {
  private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

  /** How long to wait when the system cannot accept, most often for want of file descriptors. */
  private static final long RETRY_MS = 1_000;

  private final NetSettings settings;
  private final ServerSocketChannel channel;
  private final LoopGroup group;
  private SelectionKey key;
  private volatile boolean isFull;
  private long accepted;

  Acceptor(NetSettings settings, ServerSocketChannel channel, LoopGroup group) {
    this.settings = settings;
    this.channel = channel;
    this.group = group;
  }

  /** Starts to accept. */
  void open() throws IOException {
    key = channel.register(group.first().selector(), SelectionKey.OP_ACCEPT, this);
  }

  @Override
  public void selected() {
    while (hasRoom()) {
      SocketChannel client;
      try {
        client = channel.accept();
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        LOG.error("Cannot accept connections: {}. Trying again in {} ms", e.getMessage(), RETRY_MS);
        pause();
        group.first().schedule(this::resume, RETRY_MS);
        return;
      }
      if (client == null) {
        return;
      }
      welcome(client);
    }
    LOG.warn(
        "{} connections are open (max.connections): more wait until one closes",
        group.openConnections());
    isFull = true;
    pause();
    resume(); // one may have closed in between
  }

  @Override
  public void failed(Throwable cause) {
    LOG.error("Accepting connections failed; the next one is tried", cause);
  }

  /** A connection has closed; called on its loop. */
  void connectionClosed() {
    if (isFull) {
      try {
        group.first().execute(this::resume);
      } catch (RejectedExecutionException e) {
        LOG.debug("Accepting has ended");
      }
    }
  }

  private void resume() {
    if (key.isValid() && hasRoom()) {
      isFull = false;
      key.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  private void pause() {
    if (key.isValid()) {
      key.interestOps(0);
    }
  }

  private boolean hasRoom() {
    return group.openConnections() < settings.limits().maxConnections();
  }

  private void welcome(SocketChannel client) {
    group.connectionOpened();
    Loop loop = group.next();
    try {
      setUp(client);
      Peer peer = peer(client);
      if (loop.isCurrent()) {
        loop.adopt(client, peer);
      } else {
        loop.execute(() -> adopt(loop, client, peer));
      }
    } catch (IOException | RejectedExecutionException e) {
      turnAway(client, e);
    }
  }

  private void adopt(Loop loop, SocketChannel client, Peer peer) {
    try {
      loop.adopt(client, peer);
    } catch (IOException e) {
      turnAway(client, e);
    }
  }

  private void turnAway(SocketChannel client, Exception cause) {
    LOG.debug("Lost a new connection", cause);
    try {
      client.close();
    } catch (IOException e) {
      LOG.debug("Closing a new connection failed", e);
    }
    group.connectionClosed();
  }

  private void setUp(SocketChannel client) throws IOException {
    client.configureBlocking(false);
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    client.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (settings.sockets().sendBufferBytes() != SocketTuning.SYSTEM_DEFAULT) {
      client.setOption(StandardSocketOptions.SO_SNDBUF, settings.sockets().sendBufferBytes());
    }
  }

  private Peer peer(SocketChannel client) throws IOException {
    InetSocketAddress local = (InetSocketAddress) client.getLocalAddress();
    InetSocketAddress remote = (InetSocketAddress) client.getRemoteAddress();
    String id = show(local) + "-" + show(remote) + "-" + accepted++;
    return new Peer(id, local, remote, settings.listenerName());
  }

  private static String show(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
