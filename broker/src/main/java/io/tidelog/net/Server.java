package io.tidelog.net;

import io.tidelog.protocol.OfferedApis;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A plaintext listener that serves the APIs offered. From {@link #start} until {@link #close} it
 * runs one thread for each event loop and no other.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final ServerSocketChannel channel;
  private final InetSocketAddress address;
  private final LoopGroup group;

  private Server(ServerSocketChannel channel, InetSocketAddress address, LoopGroup group) {
    this.channel = channel;
    this.address = address;
    this.group = group;
  }

  /**
   * Listens and serves.
   *
   * @param nanoClock nanoseconds from an arbitrary origin, as {@link System#nanoTime}
   * @throws ListenException if the address cannot be listened on
   */
  public static Server start(
      NetSettings settings, OfferedApis apis, NetEvents events, LongSupplier nanoClock)
      throws IOException {
    ServerSocketChannel channel = bind(settings);
    try {
      LoopGroup group =
          LoopGroup.open(Service.of(apis, settings.limits(), events), settings.loops(), nanoClock);
      Acceptor acceptor = new Acceptor(settings, channel, group);
      acceptor.open();
      group.start(acceptor::connectionClosed);
      return new Server(channel, (InetSocketAddress) channel.getLocalAddress(), group);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Where this server listens, with the port that it got if it asked for 0. */
  public InetSocketAddress address() {
    return address;
  }

  /** Connections that are open now. */
  public int openConnections() {
    return group.openConnections();
  }

  /** Bytes in receive buffers that are in use now. */
  public long receiveMemoryUsedBytes() {
    return group.service().pool().usedBytes();
  }

  /**
   * Stops listening and reading, sends the answers that are given within the drain time, and ends
   * its threads. Waits for that, unless it is called on one of them.
   */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("Closing the listener on {} failed", address, e);
    }
    group.close();
  }

  /**
   * Whether it could listen now: asked before anything is done that should not be done in vain.
   *
   * @throws ListenException if the address cannot be listened on
   */
  public static void requireFree(NetSettings settings) throws IOException {
    bind(settings).close();
  }

  private static ServerSocketChannel bind(NetSettings settings) throws IOException {
    if (settings.listen().isUnresolved()) {
      throw ListenException.unknownHost(settings.listen());
    }
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      if (settings.sockets().receiveBufferBytes() != SocketTuning.SYSTEM_DEFAULT) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.sockets().receiveBufferBytes());
      }
      return channel.bind(settings.listen(), settings.sockets().backlog());
    } catch (IOException e) {
      channel.close();
      throw ListenException.of(settings.listen(), e);
    }
  }
}
