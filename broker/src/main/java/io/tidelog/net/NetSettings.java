package io.tidelog.net;

import java.net.InetSocketAddress;

/**
 * Settings of one listener.
 *
 * @param listen where to listen; port 0 takes a free one
 * @param listenerName the listener's name, such as PLAINTEXT
 * @param loops how many event loops serve it
 * @param limits what connections may use
 * @param sockets how sockets are set up
 */
public record NetSettings(
    InetSocketAddress listen,
    String listenerName,
    int loops,
    NetLimits limits,
    SocketTuning sockets) {

  public NetSettings {
    if (loops < 1) {
      throw new IllegalArgumentException("A listener needs an event loop, but loops is " + loops);
    }
  }

  /** Defaults for everything but the address: one loop for each two processors, from 1 to 16. */
  public static NetSettings listeningOn(InetSocketAddress listen) {
    int loops = Math.max(1, Math.min(16, Runtime.getRuntime().availableProcessors() / 2));
    return new NetSettings(
        listen, "PLAINTEXT", loops, NetLimits.defaults(), SocketTuning.defaults());
  }

  public NetSettings withLoops(int loops) {
    return new NetSettings(listen, listenerName, loops, limits, sockets);
  }

  public NetSettings withLimits(NetLimits limits) {
    return new NetSettings(listen, listenerName, loops, limits, sockets);
  }
}
