package io.tidelog.coordinator;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;

/** A few producer ids at hand, for decisions that must not wait. Any thread. */
final class SpareProducerIds {
  private static final int ENOUGH = 8;

  private final Supplier<CompletableFuture<Long>> source;
  private final Queue<Long> spare = new ArrayDeque<>();

  /**
   * @param source gives ids, each once for ever
   */
  SpareProducerIds(Supplier<CompletableFuture<Long>> source) {
    this.source = source;
  }

  /** Done when there is one more id to take, or enough of them; fails if none is to be had. */
  CompletableFuture<Void> ready() {
    synchronized (this) {
      if (spare.size() >= ENOUGH) {
        return CompletableFuture.completedFuture(null);
      }
    }
    return source.get().thenAccept(this::add);
  }

  private synchronized void add(long id) {
    spare.add(id);
  }

  /**
   * An id that nobody has had.
   *
   * @throws CoordinatorLoadInProgressException if there is none at hand: clients try again, and
   *     then there is
   */
  long take() {
    Long id;
    synchronized (this) {
      id = spare.poll();
    }
    if (id == null) {
      CompletableFuture<?> unused = ready();
      throw new CoordinatorLoadInProgressException("a producer id is being fetched");
    }
    return id;
  }
}
