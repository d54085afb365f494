package io.tidelog.net;

/**
 * What connections may use.
 *
 * @param maxFrameBytes longest frame that is received ({@code socket.request.max.bytes})
 * @param receiveMemoryBytes memory in receive buffers of all connections together; when it is
 *     spent, reading pauses. One frame at a time may exceed it, so that a frame longer than all of
 *     it can still be received
 * @param maxConnections connections served at a time ({@code max.connections}); more wait to be
 *     accepted
 * @param idleMs a connection is closed after so long without a byte either way and without a
 *     request under way ({@code connections.max.idle.ms})
 * @param drainMs how long a closing server waits for the answers under way
 */
public record NetLimits(
    int maxFrameBytes, long receiveMemoryBytes, int maxConnections, long idleMs, long drainMs) {

  /** The least that receive buffers need. */
  public static final long LEAST_RECEIVE_MEMORY_BYTES = 64 << 10;

  public NetLimits {
    if (receiveMemoryBytes < LEAST_RECEIVE_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          "Receive memory of "
              + receiveMemoryBytes
              + " bytes is less than "
              + LEAST_RECEIVE_MEMORY_BYTES);
    }
    if (maxFrameBytes < 1 || maxConnections < 1 || idleMs < 1 || drainMs < 0) {
      throw new IllegalArgumentException(
          "Limits must be above zero: frame "
              + maxFrameBytes
              + " bytes, connections "
              + maxConnections
              + ", idle "
              + idleMs
              + " ms; drain "
              + drainMs
              + " ms may be zero");
    }
  }

  /** Kafka's defaults; receive memory is a quarter of the largest heap, from 8 to 256 MiB. */
  public static NetLimits defaults() {
    long quarter = Runtime.getRuntime().maxMemory() / 4;
    long receiveMemoryBytes = Math.max(8L << 20, Math.min(256L << 20, quarter));
    return new NetLimits(100 << 20, receiveMemoryBytes, Integer.MAX_VALUE, 600_000, 2_000);
  }

  public NetLimits withReceiveMemoryBytes(long receiveMemoryBytes) {
    return new NetLimits(maxFrameBytes, receiveMemoryBytes, maxConnections, idleMs, drainMs);
  }

  public NetLimits withMaxConnections(int maxConnections) {
    return new NetLimits(maxFrameBytes, receiveMemoryBytes, maxConnections, idleMs, drainMs);
  }

  public NetLimits withIdleMs(long idleMs) {
    return new NetLimits(maxFrameBytes, receiveMemoryBytes, maxConnections, idleMs, drainMs);
  }

  public NetLimits withDrainMs(long drainMs) {
    return new NetLimits(maxFrameBytes, receiveMemoryBytes, maxConnections, idleMs, drainMs);
  }
}
