package io.tidelog.topic;

import io.tidelog.log.LogClosedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
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
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes changes one after the other, on one thread: decide, append to the metadata log, make it
 * durable, take effect, answer. Changes that wait at the same time share one fsync.
 */
final class ChangeLine implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeLine.class);

  /** Makes durable changes take effect. */
  interface Effect {

    /**
     * Makes one change take effect.
     *
     * @throws IOException if it cannot, at least in part; the asker is told
     */
    void apply(MetadataDelta delta, MetadataImage image) throws IOException;

    /** What is to be changed after a change that could not take effect. */
    Change<?> amend(MetadataDelta failed);
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
    List<Pending<?>> taken = new ArrayList<>();
    for (Pending<?> next = waiting.poll(); next != null; next = waiting.poll()) {
      taken.add(next);
    }
    try {
      taken.forEach(this::append);
      if (taken.stream().anyMatch(Pending::isAppended)) {
        log.flush();
      }
    } catch (Throwable e) {
      broken = e;
      LOG.error("The metadata log failed; topics cannot change until the broker is restarted", e);
      taken.forEach(change -> change.fail(stopped()));
    }
    taken.stream().filter(Pending::isUnanswered).forEach(this::finish);
    takeSnapshot();
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

  private void append(Pending<?> pending) {
    try {
      if (broken != null) {
        throw stopped();
      }
      List<ApiMessageAndVersion> records = pending.decide(latest);
      if (!records.isEmpty()) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(latest).build();
        records.forEach(record -> delta.replay(record.message()));
        latest = delta.apply(log.append(records));
        pending.appended(delta, latest);
      }
    } catch (ApiException e) {
      pending.fail(e);
    } catch (IOException | LogClosedException e) {
      LOG.error("The metadata log refused a change: {}", e.getMessage());
      pending.fail(
          new KafkaStorageException("The metadata log cannot be written: " + e.getMessage(), e));
    } catch (RuntimeException e) {
      LOG.error("A change of metadata failed", e);
      pending.fail(e);
    }
  }

  private void finish(Pending<?> pending) {
    try {
      if (pending.isAppended()) {
        effect.apply(pending.delta, pending.image);
      }
      pending.succeed();
    } catch (IOException e) {
      LOG.error("A change of metadata is recorded but not in effect: {}", e.getMessage());
      enqueue(new Pending<>(effect.amend(pending.delta)));
      pending.fail(new KafkaStorageException("The disk refused the change: " + e.getMessage(), e));
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
