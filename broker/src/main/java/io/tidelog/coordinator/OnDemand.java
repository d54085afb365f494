package io.tidelog.coordinator;

import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.io.Closeable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator that runs from its first need on: then its topic is created if it is missing, the
 * coordinator is started, and it loads what the logs hold. When the topic is deleted the next need
 * starts another.
 *
 * @param <C> the coordinator while it runs
 */
final class OnDemand<C extends OnDemand.Hosted> implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OnDemand.class);
  private static final long FINISH_PATIENCE_MS = 5_000;
  private static final long STOP_PATIENCE_MS = 10_000;

  /** One run of a coordinator over one topic. */
  interface Hosted {

    /** It is the one that runs now; no change of metadata is heard of before this returns. */
    default void isCurrent() {}

    /** Has it load what a partition holds, and serve it. */
    void lead(Partition partition);

    /** Done when all partitions are served, or when it takes so long that clients should know. */
    CompletableFuture<Void> settled();

    /** Takes no more changes of metadata; done when what was asked before is written. */
    CompletableFuture<?> finish();

    /** Ends it. Requests that still wait fail. */
    void close();
  }

  /**
   * Which coordinator.
   *
   * @param name for log lines, "group coordinator"
   * @param topic where it keeps its state
   * @param thread the name of the thread that starts it and loads logs
   * @param start puts it together; the executor has one thread
   */
  record Kind<C>(String name, String topic, String thread, BiFunction<Topic, Executor, C> start) {}

  private final Topics topics;
  private final Kind<C> kind;
  private final ExecutorService executor;

  /** Held while a coordinator is started or stopped. */
  private final Object lifecycle = new Object();

  private volatile C running;
  private volatile boolean closed;

  /** Null, or failed, if the next call is to start a coordinator. */
  private CompletableFuture<C> started;

  OnDemand(Topics topics, Kind<C> kind) {
    this.topics = topics;
    this.kind = kind;
    this.executor =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread thread = new Thread(work, kind.thread);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Done when it can be asked. Starts what is needed for it. Fails with
   * CoordinatorNotAvailableException if it cannot be started.
   */
  synchronized CompletableFuture<C> started() {
    if (closed) {
      return CompletableFuture.failedFuture(
          new CoordinatorNotAvailableException("the broker is stopping"));
    }
    if (started == null || started.isCompletedExceptionally()) {
      started =
          topics
              .findOrCreate(kind.topic)
              .thenApplyAsync(this::start, executor)
              .thenCompose(hosted -> hosted.settled().thenApply(done -> hosted))
              .exceptionally(this::notAvailable);
    }
    return started;
  }

  /** Whether there is anything that it could have to say. */
  boolean hasTopic() {
    return topics.find(kind.topic).isPresent();
  }

  /** The one that runs; null if none does. */
  synchronized C current() {
    return running;
  }

  /** On the executor, so that one start is over before the next. */
  private C start(Topic topic) {
    synchronized (lifecycle) {
      stop();
      if (closed) {
        throw new CoordinatorNotAvailableException("the broker is stopping");
      }
      C hosted = kind.start.apply(topic, executor);
      attach(hosted);
      topic.partitions().forEach(hosted::lead);
      return hosted;
    }
  }

  private synchronized void attach(C hosted) {
    running = hosted;
    hosted.isCurrent();
  }

  private C notAvailable(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    String sentence = "The " + kind.name + " could not be started: " + cause.getMessage();
    if (cause instanceof ApiException) {
      LOG.error("{}. The next request tries again", sentence);
    } else {
      LOG.error("{}. The next request tries again", sentence, cause);
    }
    throw new CoordinatorNotAvailableException(sentence, cause);
  }

  /** Without its topic a coordinator is of no use: the next request starts another. */
  synchronized void deleted(Topic topic) {
    if (topic.name().equals(kind.topic)) {
      started = null;
    }
  }

  /** Fails the calls under way and ends all threads. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      started = null;
    }
    synchronized (lifecycle) {
      stop();
    }
    executor.shutdown();
    try {
      if (!executor.awaitTermination(STOP_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        LOG.error("The thread {} did not end within {} ms", kind.thread, STOP_PATIENCE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    C now = running;
    running = null;
    if (now != null) {
      awaitFinish(now);
      now.close();
    }
  }

  private void awaitFinish(C stopping) {
    try {
      stopping.finish().get(FINISH_PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The {} stops although it has not finished: {}", kind.name, e.toString());
    }
  }
}
