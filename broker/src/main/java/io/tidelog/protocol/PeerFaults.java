package io.tidelog.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lines in the log about what clients did wrong. A client that repeats a fault thousands of times
 * makes one line each ten seconds, with the number of those that were kept back. Clients are told
 * apart by address; no more than a thousand are remembered. From any thread.
 */
public final class PeerFaults {
  private static final long SILENCE_NANOS = 10_000_000_000L;
  private static final int MOST_REMEMBERED = 1_000;

  private final Consumer<String> log;
  private final LongSupplier nanoTime;
  private final Map<Fault, Told> told = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param log where the lines go
   * @param nanoTime the clock, in nanoseconds from an arbitrary origin
   */
  public PeerFaults(Consumer<String> log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  private record Fault(String address, String kind) {}

  private static final class Told {
    private long atNanos;
    private long keptBack;

    Told(long atNanos) {
      this.atNanos = atNanos;
    }
  }

  /**
   * Says what a client did, unless it was just said of that client.
   *
   * @param kind what it did, in general: lines of different kinds do not keep each other back
   * @param what what it did, in full; asked only if it is logged
   */
  public void tell(Peer peer, String kind, Supplier<String> what) {
    long keptBack = due(new Fault(peer.remote().getHostString(), kind));
    if (keptBack == 0) {
      log.accept(what.get());
    } else if (keptBack > 0) {
      log.accept(
          what.get() + " (and " + keptBack + " more of the same kind from there since the last)");
    }
  }

  /** How many lines of this fault were kept back since the last one; -1 if this one is too. */
  private synchronized long due(Fault fault) {
    long now = nanoTime.getAsLong();
    Told before = told.get(fault);
    if (before == null) {
      told.put(fault, new Told(now));
      if (told.size() > MOST_REMEMBERED) {
        told.remove(told.keySet().iterator().next());
      }
      return 0;
    }
    if (now - before.atNanos < SILENCE_NANOS) {
      before.keptBack++;
      return -1;
    }
    long keptBack = before.keptBack;
    before.atNanos = now;
    before.keptBack = 0;
    return keptBack;
  }
}
