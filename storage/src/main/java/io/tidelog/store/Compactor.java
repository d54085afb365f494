package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.compaction.CompactionPlan;
import io.tidelog.compaction.Workspace;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Compacts a store's logs in the background: of those that are due, the dirtiest first. What stands
 * in the way of one does not stop the others.
 */
public final class Compactor implements Closeable {
  private static final long RETRY_MS = 60_000;

  private final Surroundings around;
  private final Place place;
  private final CleanOffsets offsets;
  private final UncleanableLogs uncleanable;
  private final Map<TopicPartition, CompactionRun> running = new ConcurrentHashMap<>();
  private final Set<TopicPartition> requested = ConcurrentHashMap.newKeySet();
  private final Map<TopicPartition, Long> failedMs = new ConcurrentHashMap<>();
  private final Deque<Workspace> idle = new ArrayDeque<>();
  private CleanerSettings settings = CleanerSettings.DEFAULTS;
  private final Throttle throttle;
  private final CompactionRun.Way way;
  private int rounds;
  private boolean isClosed;

  /**
   * Where the logs are.
   *
   * @param surroundings what they take from outside
   * @param find one by its name
   * @param all of them
   * @param isMoving whether one is on its way to another directory
   * @param compacted told of one after it was compacted
   */
  record Place(
      LogSurroundings surroundings,
      Function<TopicPartition, Optional<PartitionLog>> find,
      Collection<PartitionLog> all,
      Predicate<TopicPartition> isMoving,
      Consumer<PartitionLog> compacted) {}

  /** A log and what is to be done with it. */
  private record Candidate(PartitionLog log, CompactionPlan plan) {}

  Compactor(Surroundings around, Place place, CleanOffsets offsets) {
    this.around = around;
    this.place = place;
    this.offsets = offsets;
    this.uncleanable = new UncleanableLogs(around);
    this.throttle = new Throttle(around.clock(), settings.maxBytesPerSecond());
    this.way = new CompactionRun.Way(place.surroundings, throttle, offsets, new Endings());
  }

  /**
   * Looks for logs that are due, now and then, by these settings from now on. What runs goes on at
   * the new rate, with the memory it has.
   */
  public synchronized void goBy(CleanerSettings with) {
    settings = with;
    throttle.limitTo(with.maxBytesPerSecond());
    idle.forEach(Workspace::close);
    idle.clear();
    rounds++;
    lookLater(rounds);
  }

  private void lookLater(int round) {
    around.scheduler().after(Math.max(1, settings.backoffMs()), () -> look(round));
  }

  private synchronized void look(int round) {
    if (round != rounds) {
      return; // other settings have come, and another round with them
    }
    try {
      startDue();
    } finally {
      lookLater(round);
    }
  }

  /**
   * Asks for the compaction of a log as soon as possible, whatever its dirty ratio; what is too
   * young, or still written to, stays as it is. No effect if there is no such log, or its
   * cleanup.policy does not say compact.
   */
  public void compact(TopicPartition partition) {
    Optional<PartitionLog> log = place.find.apply(partition);
    if (log.isPresent() && log.get().settings().compacts()) {
      failedMs.remove(partition);
      uncleanable.forget(partition);
      requested.add(partition);
      around.scheduler().execute(this::startDue);
    }
  }

  /** How it stands with a partition; empty if there is no such. */
  public Optional<CompactionOutlook> outlook(TopicPartition partition) throws IOException {
    Optional<PartitionLog> log = place.find.apply(partition);
    if (log.isEmpty()) {
      return Optional.empty();
    }
    CompactionOutlook.Progress progress =
        requested.contains(partition)
            ? CompactionOutlook.Progress.REQUESTED
            : CompactionOutlook.Progress.NONE;
    return Optional.of(
        new CompactionOutlook(
            planOf(log.get()),
            running.containsKey(partition) ? CompactionOutlook.Progress.RUNNING : progress,
            uncleanable.find(log.get())));
  }

  /** The partitions that cannot be compacted until something is repaired. */
  public Collection<Uncleanable> uncleanable() {
    return uncleanable.all();
  }

  /** Whether a run over this log is under way. */
  boolean isRunning(PartitionLog log) {
    return running.containsKey(log.topicPartition());
  }

  private CompactionPlan planOf(PartitionLog log) throws IOException {
    var view = log.view();
    return CompactionPlan.of(
        log.segments(),
        view.offsets(),
        log.settings(),
        offsets.of(log.topicPartition()),
        around.clock().millis());
  }

  private synchronized void startDue() {
    while (!isClosed && running.size() < settings.threads()) {
      Optional<Candidate> next = dirtiest();
      if (next.isEmpty()) {
        if (running.isEmpty()) {
          idle.forEach(Workspace::release);
        }
        return;
      }
      start(next.get());
    }
  }

  private void start(Candidate chosen) {
    Workspace tools = idle.isEmpty() ? Workspace.create(settings.limits()) : idle.pop();
    CompactionRun run = new CompactionRun(around, chosen.log, chosen.plan, tools, way);
    running.put(chosen.log.topicPartition(), run);
    run.start();
  }

  private Optional<Candidate> dirtiest() {
    return place.all.stream()
        .filter(this::isFree)
        .flatMap(log -> candidate(log).stream())
        .max(
            Comparator.comparing((Candidate candidate) -> isRequested(candidate.log))
                .thenComparingDouble(candidate -> candidate.plan.dirtyRatio()));
  }

  private boolean isRequested(PartitionLog log) {
    return requested.contains(log.topicPartition());
  }

  private boolean isFree(PartitionLog log) {
    TopicPartition partition = log.topicPartition();
    return log.settings().compacts()
        && (settings.schedule() == CleanerSettings.Schedule.WHEN_DUE || isRequested(log))
        && !log.isClosed()
        && !running.containsKey(partition)
        && !place.isMoving.test(partition)
        && around.clock().millis() >= failedMs.getOrDefault(partition, Long.MIN_VALUE) + RETRY_MS
        && uncleanable.find(log).isEmpty();
  }

  private Optional<Candidate> candidate(PartitionLog log) {
    try {
      CompactionPlan plan = planOf(log);
      return plan.verdict().isDue() || isRequested(log)
          ? Optional.of(new Candidate(log, plan))
          : Optional.empty();
    } catch (IOException | RuntimeException e) {
      if (!log.isClosed()) {
        requested.remove(log.topicPartition());
        uncleanable.add(log, e);
      }
      return Optional.empty();
    }
  }

  /** What is done after a run. */
  private final class Endings implements CompactionRun.Ended {
    @Override
    public void compacted(CompactionRun run) {
      boolean isAll =
          offsets.of(run.log().topicPartition()).orElse(0) >= run.plan().firstUncleanableOffset();
      if (isAll) {
        requested.remove(run.log().topicPartition());
      }
      gone(run);
      place.compacted.accept(run.log());
      startDue();
    }

    @Override
    public void overtaken(CompactionRun run) {
      gone(run);
    }

    @Override
    public void blocked(CompactionRun run, Exception why) {
      requested.remove(run.log().topicPartition());
      uncleanable.add(run.log(), why);
      gone(run);
      startDue();
    }

    @Override
    public void failed(CompactionRun run, IOException why) {
      TopicPartition partition = run.log().topicPartition();
      failedMs.put(partition, around.clock().millis());
      around
          .events()
          .happened(
              StoreEvents.Kind.FAILED,
              "compaction of %s failed and is tried again: %s"
                  .formatted(partition, why.getMessage()));
      gone(run);
      startDue();
    }
  }

  private synchronized void gone(CompactionRun run) {
    if (!running.remove(run.log().topicPartition(), run)) {
      return;
    }
    if (isClosed || !run.tools().limits().equals(settings.limits())) {
      run.tools().close();
    } else {
      idle.push(run.tools());
    }
  }

  /** Ends a run over this partition; when this returns nothing of it goes on. */
  void stop(TopicPartition partition) {
    CompactionRun run = running.get(partition);
    if (run != null) {
      run.stop();
      gone(run);
    }
  }

  /** Logs that are about to go: others of their names begin anew. */
  void forget(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      stop(partition);
      requested.remove(partition);
      failedMs.remove(partition);
      uncleanable.forget(partition);
    }
    offsets.forget(partitions);
  }

  /** Ends all, when nothing runs in the background any more: what is not in service is removed. */
  @Override
  public void close() {
    List.copyOf(running.keySet()).forEach(this::stop);
    synchronized (this) {
      isClosed = true;
      idle.forEach(Workspace::close);
      idle.clear();
    }
  }
}
