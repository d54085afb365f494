package io.tidelog.topic;

import io.tidelog.log.LogClosedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes changes one after the other, on one thread: decide, prepare, append to the metadata log,
 * make it durable, take effect, answer. Changes that wait at the same time share one fsync.
 */
final class ChangeLine implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeLine.class);

  /** What changes mean to the topics that are served. */
  interface Effect {

    /** Whether a change cannot be prepared before all earlier ones have taken effect. */
    boolean mustWait(MetadataDelta delta, MetadataImage image);

    /**
     * Does what can fail about a change, before it is recorded. Nobody sees anything of it yet.
     *
     * @throws IOException if it cannot be had; then nothing is left of it
     */
    Prepared prepare(MetadataDelta delta, MetadataImage image) throws IOException;

    /** Makes one recorded change take effect. */
    void apply(MetadataDelta delta, MetadataImage image) throws IOException;
  }

  /** What is ready for a change that is to be recorded. */
  @FunctionalInterface
  interface Prepared {
    /** The change could not be recorded. */
    void takeBack();
  }

  private final MetadataLog log;
  private final Effect effect;
  private final ExecutorService thread;
  private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();

  /** The image with all appended changes, durable or not. Only for the thread. */
  private MetadataImage latest;

  /** Why nothing can be changed any more; null while it can. Only for the thread. */
  private Throwable broken;

  ChangeLine(MetadataLog log, MetadataImage image, Effect effect) {
    this.log = log;
    this.latest = image;
    this.effect = effect;
    this.thread =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread worker = new Thread(work, "tidelog-metadata");
              worker.setDaemon(true);
              return worker;
            });
  }

  /** Puts a change in line. The future completes on the line's thread. */
  <T> CompletableFuture<T> submit(Change<T> change) {
    Pending<T> pending = new Pending<>(change);
    enqueue(pending);
    return pending.answer;
  }

  private void enqueue(Pending<?> pending) {
    waiting.add(pending);
    try {
      thread.execute(this::work);
    } catch (RejectedExecutionException e) {
      pending.fail(
          new KafkaStorageException("The broker is stopping; nothing is changed any more."));
    }
  }

  private void work() {
    Deque<Pending<?>> taken = new ArrayDeque<>();
    for (Pending<?> next = waiting.poll(); next != null; next = waiting.poll()) {
      taken.add(next);
    }
    while (!taken.isEmpty()) {
      makeTogether(taken);
    }
    takeSnapshot();
  }

  /** Takes the first change, and all after it that need not wait for its effect. */
  private void makeTogether(Deque<Pending<?>> taken) {
    List<Pending<?>> round = new ArrayList<>();
    try {
      while (!taken.isEmpty() && append(taken.peek(), round)) {
        round.add(taken.poll());
      }
      if (round.stream().anyMatch(Pending::isAppended)) {
        log.flush();
      }
    } catch (Throwable e) {
      broken = e;
      LOG.error("The metadata log failed; topics cannot change until the broker is restarted", e);
      round.forEach(change -> change.fail(stopped()));
    }
    round.stream().filter(Pending::isUnanswered).forEach(this::finish);
  }

  /** A log without a snapshot is only longer. */
  private void takeSnapshot() {
    try {
      if (broken == null) {
        log.snapshotIfDue(latest);
      }
    } catch (Throwable e) {
      LOG.warn("No snapshot of the metadata could be taken: {}", e.getMessage());
    }
  }

  /** Whether the change has been looked at; if not, those of the round must take effect first. */
  private boolean append(Pending<?> pending, List<Pending<?>> round) {
    try {
      if (broken != null) {
        throw stopped();
      }
      List<ApiMessageAndVersion> records = pending.decide(latest);
      if (!records.isEmpty()) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(latest).build();
        records.forEach(record -> delta.replay(record.message()));
        MetadataImage planned = delta.apply(latest.provenance());
        if (round.stream().anyMatch(Pending::isAppended) && effect.mustWait(delta, planned)) {
          return false;
        }
        latest = delta.apply(record(records, effect.prepare(delta, planned)));
        pending.appended(delta, latest);
      }
    } catch (ApiException e) {
      pending.fail(e);
    } catch (IOException | LogClosedException e) {
      LOG.error("A change of metadata is refused by the disk: {}", e.getMessage());
      pending.fail(new KafkaStorageException("The disk refused the change: " + e.getMessage(), e));
    } catch (RuntimeException e) {
      LOG.error("A change of metadata failed", e);
      pending.fail(e);
    }
    return true;
  }

  private MetadataProvenance record(List<ApiMessageAndVersion> records, Prepared prepared)
      throws IOException {
    try {
      return log.append(records);
    } catch (IOException | RuntimeException e) {
      prepared.takeBack();
      throw e;
    }
  }

  private void finish(Pending<?> pending) {
    try {
      if (pending.isAppended()) {
        effect.apply(pending.delta, pending.image);
      }
      pending.succeed();
    } catch (Throwable e) {
      LOG.error("A change of metadata is recorded but not in effect", e);
      pending.fail(e);
    }
  }

  private KafkaStorageException stopped() {
    return new KafkaStorageException(
        "The metadata log cannot be written: " + broken.getMessage(), broken);
  }

  /** Finishes what is in line, then refuses more. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Pending<T> {
    private final Change<T> change;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private T told;
    private MetadataDelta delta;
    private MetadataImage image;

    Pending(Change<T> change) {
      this.change = change;
    }

    List<ApiMessageAndVersion> decide(MetadataImage current) {
      Change.Decision<T> decision = change.decide(current);
      told = decision.answer();
      return decision.records();
    }

    void appended(MetadataDelta recorded, MetadataImage then) {
      delta = recorded;
      image = then;
    }

    boolean isAppended() {
      return delta != null;
    }

    boolean isUnanswered() {
      return !answer.isDone();
    }

    void succeed() {
      answer.complete(told);
    }

    void fail(Throwable cause) {
      answer.completeExceptionally(cause);
    }
  }
}
