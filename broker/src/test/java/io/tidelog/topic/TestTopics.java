package io.tidelog.topic;

import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.store.LogStore;
import io.tidelog.store.Scheduler;
import io.tidelog.store.StoreEvents;
import io.tidelog.store.StoreSettings;
import io.tidelog.store.Surroundings;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Topics over a store on a disk of the test's choice, without background work. */
public final class TestTopics implements AutoCloseable {
  public static final Path DATA = Path.of("/data");
  private static final long PATIENCE_S = 30;
  private static final StoreSettings ONE_THREAD =
      new StoreSettings(partition -> LogSettings.DEFAULTS, 3_000, 300_000, 60_000, 1);
  private static final AtomicLong STARTS = new AtomicLong();

  private final LogStore store;
  private final Topics topics;

  private TestTopics(LogStore store, Topics topics) {
    this.store = store;
    this.topics = topics;
  }

  /** Starts on a disk, new or left by another start. */
  public static TestTopics start(Disk disk) throws IOException {
    return start(disk, Map.of());
  }

  /** Starts with these server-level settings. */
  public static TestTopics start(Disk disk, Map<String, String> settings) throws IOException {
    return start(disk, settings, new SimClock());
  }

  public static TestTopics start(Disk disk, Map<String, String> settings, SimClock clock)
      throws IOException {
    return start(disk, settings, clock, new Still());
  }

  static TestTopics start(
      Disk disk, Map<String, String> settings, SimClock clock, Scheduler scheduler)
      throws IOException {
    Surroundings around =
        new Surroundings(
            disk,
            clock,
            new SplittableRandom(STARTS.incrementAndGet()),
            scheduler,
            StoreEvents.SILENT);
    LogStore store = LogStore.open(List.of(DATA), ONE_THREAD, around);
    try {
      NodeIdentity node =
          new IdentityFiles(disk, List.of(DATA), around.random()).readOrCreate(OptionalInt.empty());
      return new TestTopics(store, Topics.open(store, node, new ServerSettings(settings), around));
    } catch (IOException | RuntimeException | Error e) {
      closeQuietly(store, e);
      throw e;
    }
  }

  private static void closeQuietly(LogStore store, Throwable cause) {
    try {
      store.close();
    } catch (IOException | RuntimeException | Error e) {
      cause.addSuppressed(e);
    }
  }

  public Topics topics() {
    return topics;
  }

  public LogStore store() {
    return store;
  }

  /** Creates one topic and waits; what it was refused with is thrown. */
  public Topic create(NewTopic wish) {
    Outcome<CreatedTopic> outcome =
        await(topics.admin().create(List.of(wish), TopicAdmin.Intent.CARRY_OUT)).get(0);
    if (outcome.isRefused()) {
      throw outcome.error();
    }
    return topics.find(wish.name()).orElseThrow();
  }

  /** Deletes one topic and waits. */
  public void delete(Topic topic) {
    Outcome<Void> outcome = await(topics.admin().delete(List.of(topic.id()))).get(0);
    if (outcome.isRefused()) {
      throw outcome.error();
    }
  }

  /** The result of a change, or the exception that it failed with. */
  public static <T> T await(CompletableFuture<T> change) {
    try {
      return change.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** A clean stop. */
  @Override
  public void close() throws IOException {
    topics.close();
    store.close();
  }

  /** Background work that is never done. */
  static class Still implements Scheduler {
    @Override
    public void execute(Runnable work) {}

    @Override
    public void after(long delayMs, Runnable work) {}

    @Override
    public void every(long periodMs, Runnable work) {}

    @Override
    public void close() {}
  }
}
