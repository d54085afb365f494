package io.tidelog.net;

import org.apache.kafka.common.protocol.ApiKeys;

/**
 * What happens on a listener, told on its event loops as it happens; for metrics. Implementations
 * must be quick.
 */
public interface NetEvents {
  /** Listens to nothing. */
  NetEvents NONE = new NetEvents() {};

  default void connectionOpened() {}

  default void connectionClosed() {}

  default void received(long bytes) {}

  default void sent(long bytes) {}

  /** A request was answered, so long after it was read. */
  default void answered(ApiKeys api, short version, long elapsedNanos) {}

  /** A peer sent what is no request that we offer; its connection is being closed. */
  default void badInput() {}

  /** Reading a connection pauses because the receive memory is spent. */
  default void receiveMemorySpent() {}
}
