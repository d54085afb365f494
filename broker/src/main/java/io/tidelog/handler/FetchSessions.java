package io.tidelog.handler;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * The sessions that are open, no more than there are slots. When all are taken, a new one takes the
 * place of one that was not used for two minutes; else that of the smallest one that is older than
 * two minutes, if the new one is larger; else there is no session, and the client goes on naming
 * everything in each request. From any thread.
 */
public final class FetchSessions {
  /** The id that says that there is no session. */
  static final int NONE = 0;

  private static final long SAFE_MS = 120_000;

  private final int slots;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Map<Integer, Slot> byLastUse = new LinkedHashMap<>(16, 0.75f, true);
  private final TreeSet<Slot> displaceable =
      new TreeSet<>(Comparator.comparingInt(Slot::size).thenComparingInt(Slot::id));

  /**
   * @param slots most sessions at a time (max.incremental.fetch.session.cache.slots)
   * @param random gives the ids; used by nobody else meanwhile
   */
  public FetchSessions(int slots, InstantSource clock, RandomGenerator random) {
    this.slots = slots;
    this.clock = clock;
    this.random = random;
  }

  /** A session's place. */
  private static final class Slot {
    private final FetchSession session;
    private final long openedMs;
    private long usedMs;
    private int size;

    Slot(FetchSession session, int size, long nowMs) {
      this.session = session;
      this.size = size;
      this.openedMs = nowMs;
      this.usedMs = nowMs;
    }

    int id() {
      return session.id();
    }

    int size() {
      return size;
    }
  }

  /** The session of this id; null if there is none. */
  synchronized FetchSession find(int id) {
    Slot slot = byLastUse.get(id);
    return slot == null ? null : slot.session;
  }

  /** A new session for partitions; {@link #NONE} if there is no place for it. */
  int open(FetchSession.Naming naming, FetchedPartitions partitions) {
    int size = partitions.count();
    Slot displaced = null;
    FetchSession opened;
    synchronized (this) {
      long nowMs = clock.millis();
      if (byLastUse.size() >= slots) {
        displaced = displaceableBy(size, nowMs);
        if (displaced == null) {
          return NONE;
        }
        remove(displaced);
      }
      opened = new FetchSession(unusedId(), naming, partitions);
      byLastUse.put(opened.id(), new Slot(opened, size, nowMs));
    }
    release(displaced);
    return opened.id();
  }

  private Slot displaceableBy(int size, long nowMs) {
    if (byLastUse.isEmpty()) {
      return null;
    }
    Slot leastUsed = byLastUse.values().iterator().next();
    if (nowMs - leastUsed.usedMs > SAFE_MS) {
      return leastUsed;
    }
    boolean isLarger = !displaceable.isEmpty() && displaceable.first().size < size;
    return isLarger ? displaceable.first() : null;
  }

  private int unusedId() {
    int id;
    do {
      id = random.nextInt(1, Integer.MAX_VALUE);
    } while (byLastUse.containsKey(id));
    return id;
  }

  /**
   * A session was used just now.
   *
   * @param size how many partitions it has
   */
  synchronized void used(FetchSession session, int size) {
    Slot slot = byLastUse.get(session.id());
    if (slot == null) {
      return;
    }
    slot.usedMs = clock.millis();
    if (slot.size != size) {
      displaceable.remove(slot);
      slot.size = size;
    }
    if (slot.usedMs - slot.openedMs > SAFE_MS) {
      displaceable.add(slot);
    }
  }

  /** Ends a session; no effect if there is none of this id. */
  void close(int id) {
    Slot slot;
    synchronized (this) {
      slot = byLastUse.get(id);
      if (slot != null) {
        remove(slot);
      }
    }
    release(slot);
  }

  private void remove(Slot slot) {
    byLastUse.remove(slot.id());
    displaceable.remove(slot);
  }

  /** Outside of the lock, which is not to be held while partitions are read. */
  private static void release(Slot slot) {
    if (slot != null) {
      slot.session.partitions().release();
    }
  }

  synchronized int count() {
    return byLastUse.size();
  }
}
