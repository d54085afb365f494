package io.tidelog.store;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.DiskFullException;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.Validations;
import io.tidelog.record.compress.KafkaCodecs;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Many partitions' logs over one or more data directories, each of which is locked while the store
 * is open. Background work (retention, flush.ms, checkpoints, expiry of producers) runs by itself.
 *
 * <pre>{@code
 * try (LogStore store = LogStore.open(Path.of("data"), StoreSettings.DEFAULTS)) {
 *   PartitionLog log = store.create(new TopicPartition("orders", 0), id, LogSettings.DEFAULTS);
 *   log.append(batch, 0, AppendSource.CLIENT);
 * }
 * }</pre>
 */
public final class LogStore implements Closeable {
  private static final int BACKGROUND_THREADS = 3;

  /**
   * Partitions that are created or closed together wait for the disk together; more gain little.
   */
  private static final int MOST_WAITING_THREADS = 8;

  private final StoreSettings settings;
  private final Surroundings around;
  private final List<DataDirectory> directories;
  private final Map<TopicPartition, PartitionLog> logs = new ConcurrentHashMap<>();
  private final Placing placing;
  private final LogMoves moves;
  private final CleanOffsets cleanOffsets;
  private final Compactor compactor;
  private final DiskSpace space;
  private final Removal removal;
  private final Validations validations = new Validations(KafkaCodecs::create);
  private final LogSurroundings logSurroundings;
  private final Upkeep upkeep;
  private boolean closed;

  private LogStore(StoreSettings settings, Surroundings around, List<DataDirectory> directories) {
    this.settings = settings;
    this.around = around;
    this.directories = directories;
    this.placing = new Placing(directories);
    this.space = DiskSpace.watch(around, directories(), settings.reservedBytes());
    this.removal = new Removal(around, logs, directories, this::logsIn);
    this.cleanOffsets = new CleanOffsets(around, directories, this::logsIn);
    this.logSurroundings =
        new LogSurroundings(
            around.disk(),
            around.clock(),
            around.random(),
            validations,
            new StoreHost(around, placing, space, logs, cleanOffsets));
    this.moves = new LogMoves(around, logSurroundings, placing, this::logsIn, cleanOffsets);
    this.compactor =
        new Compactor(
            around,
            new Compactor.Place(
                logSurroundings, this::find, logs.values(), moves::isMoving, this::wasCompacted),
            cleanOffsets);
    this.upkeep = new Upkeep(around, this::partitions, compactor::isRunning, this::saveCheckpoints);
  }

  /**
   * Opens with the real disk, clock and background threads; creates the directory if it is missing.
   */
  public static LogStore open(Path directory, StoreSettings settings) throws IOException {
    System.Logger logger = System.getLogger(LogStore.class.getName());
    ThreadScheduler scheduler =
        ThreadScheduler.start(
            BACKGROUND_THREADS,
            (sentence, cause) -> logger.log(System.Logger.Level.ERROR, sentence, cause));
    StoreEvents events = (kind, sentence) -> logger.log(System.Logger.Level.INFO, sentence);
    try {
      return open(
          List.of(directory),
          settings,
          new Surroundings(
              new NioDisk(), InstantSource.system(), new SplittableRandom(), scheduler, events));
    } catch (IOException | RuntimeException e) {
      scheduler.close();
      throw e;
    }
  }

  /**
   * Opens several data directories (log.dirs) with everything passed in. The scheduler is closed
   * with the store.
   *
   * @throws io.tidelog.disk.DiskLockedException if somebody has one of the directories open
   * @throws IOException naming the file that cannot be read or written
   */
  public static LogStore open(List<Path> paths, StoreSettings settings, Surroundings around)
      throws IOException {
    List<DataDirectory> directories = DataDirectory.openAll(around, paths);
    LogStore store = new LogStore(settings, around, directories);
    try {
      new FoundLogs(settings, around, store.logSurroundings, store.logs).open(directories);
      store.cleanOffsets.read();
      for (DataDirectory directory : directories) {
        store.strikeOthers(directory);
        directory.markInUse();
      }
    } catch (IOException | RuntimeException e) {
      store.letGo();
      throw e;
    }
    store.upkeep.start(settings);
    store.compactor.goBy(settings.cleaner());
    store.space.lookFromNowOn(around.scheduler());
    return store;
  }

  private void strikeOthers(DataDirectory directory) throws IOException {
    if (directory.namesOthers(logsIn(directory))) {
      space.payOrOwe(() -> directory.strikeOthers(logsIn(directory)));
    }
  }

  private void wasCompacted(PartitionLog log) {
    upkeep.enforceRetentionOf(log);
  }

  /** The data directories, in the order given. */
  public List<Path> directories() {
    return directories.stream().map(DataDirectory::path).toList();
  }

  /**
   * Whether the last stop was a clean one, so that no acknowledged record can be missing. False for
   * a new directory.
   */
  public boolean wasStoppedCleanly() {
    return directories.stream().allMatch(DataDirectory::wasStoppedCleanly);
  }

  /** The room on the disks, and what waits for it. */
  public DiskSpace space() {
    return space;
  }

  /** What a clean stop tells Kafka: the epoch that it gave this broker, by default -1 for none. */
  public void registeredAs(long brokerEpoch) {
    directories.forEach(directory -> directory.registeredAs(brokerEpoch));
  }

  /**
   * Creates an empty partition in the data directory with the fewest partitions. When this returns
   * it is durable.
   *
   * @throws FileAlreadyExistsException if it exists
   */
  public PartitionLog create(TopicPartition partition, TopicId topicId, LogSettings logSettings)
      throws IOException {
    createAll(List.of(new NewPartition(partition, topicId, logSettings)));
    return find(partition).orElseThrow();
  }

  /**
   * As {@link #create} for several partitions, whose waits for the disk overlap. If one cannot be
   * created, none is.
   */
  public synchronized void createAll(Collection<NewPartition> wanted) throws IOException {
    requireOpen();
    for (DataDirectory directory : directories) {
      directory.requireForgotten(logsIn(directory));
    }
    Map<NewPartition, Path> places = new LinkedHashMap<>();
    Placing.Round round = placing.round(this::logsIn);
    wanted.forEach(partition -> places.put(partition, round.next(partition.partition())));
    new NewPartitions(around.disk(), logSurroundings)
        .create(places, waitingThreads(places.size()))
        .forEach(log -> logs.put(log.topicPartition(), log));
  }

  /** One where the settings want one thread, so that a test's disk calls have one order. */
  private int waitingThreads(int partitions) {
    return settings.recoveryThreads() == 1 ? 1 : Math.min(partitions, MOST_WAITING_THREADS);
  }

  public Optional<PartitionLog> find(TopicPartition partition) {
    return Optional.ofNullable(logs.get(partition));
  }

  /** All partitions' logs, in no order. */
  public Collection<PartitionLog> partitions() {
    return List.copyOf(logs.values());
  }

  /** From now on closed segments are checked in the background, at this rate; 0: they are not. */
  public void scrub(long bytesPerSecond) {
    new Scrub(around, this::partitions, bytesPerSecond).start();
  }

  /**
   * Moves a partition to another data directory while it is in use. Returns when the move has been
   * accepted; it goes on in the background, and ends early if the partition is deleted, the copy
   * cannot be written (which is told as an event) or the store is closed. A move to where the
   * partition lies does nothing but cancel another one that is still on its way. No effect if there
   * is no such partition.
   *
   * @param directory one of {@link #directories}
   * @param moved runs in the background when the partition is in its new place, durably
   * @throws IllegalArgumentException if there is no such directory
   */
  public synchronized void move(TopicPartition partition, Path directory, Runnable moved) {
    requireOpen();
    DataDirectory target = placing.at(directory);
    find(partition).ifPresent(log -> moves.start(log, target, moved));
    compactor.stop(partition);
  }

  /** The compaction of this store's logs: how it stands with one, and one on request. */
  public Compactor compactor() {
    return compactor;
  }

  /** The moves that are on their way. */
  public Collection<MovingLog> moving() {
    return moves.running();
  }

  /**
   * Where a partition is to be created, if it ever is. Only the latest thousands of wishes are
   * remembered, until the store is closed.
   *
   * @param directory one of {@link #directories}
   */
  public void place(TopicPartition partition, Path directory) {
    placing.wish(partition, placing.at(directory));
  }

  /**
   * Takes a partition out of service at once: reads and appends find a closed log, and the folder
   * has another name, durably. Its files go after file.delete.delay.ms. No effect if there is no
   * such partition.
   */
  public void delete(TopicPartition partition) throws IOException {
    deleteAll(List.of(partition));
  }

  /** As {@link #delete} for several partitions. */
  public synchronized void deleteAll(Collection<TopicPartition> partitions) throws IOException {
    requireOpen();
    forget(partitions);
    removal.delete(partitions.stream().map(logs::get).filter(Objects::nonNull).toList());
  }

  /**
   * Takes a partition that belongs to no topic out of service as {@link #delete} does, but keeps
   * its files: its folder gets a name that ends with "-stray", durably, which is returned.
   */
  public synchronized Path setAside(PartitionLog log) throws IOException {
    if (logs.get(log.topicPartition()) != log) {
      throw new IllegalArgumentException(log + " is not in this store");
    }
    requireOpen();
    forget(List.of(log.topicPartition()));
    return removal.setAside(log);
  }

  private void forget(Collection<TopicPartition> gone) throws IOException {
    compactor.forget(gone);
    try {
      cleanOffsets.saveForgotten();
    } catch (DiskFullException triedAgainWithTheCheckpoints) {
      // Nothing that is deleted may wait for room.
    }
  }

  /** Runs retention now, as the background does every log.retention.check.interval.ms. */
  public void enforceRetention() {
    upkeep.enforceRetention();
  }

  /**
   * Writes the checkpoint files now, as the background does every
   * log.flush.offset.checkpoint.interval.ms.
   */
  public void saveCheckpoints() throws IOException {
    cleanOffsets.saveForgotten();
    for (DataDirectory directory : directories) {
      Collection<PartitionLog> held = logsIn(directory);
      directory.saveRecoveryPoints(held);
      directory.saveStarts(held);
      directory.saveHighWatermarks(held);
    }
  }

  private Collection<PartitionLog> logsIn(DataDirectory directory) {
    return logs.values().stream().filter(directory::holds).toList();
  }

  /**
   * A clean stop: all is on disk, and the clean-shutdown marker is written last. If a log could not
   * be closed there is no marker.
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    around.scheduler().close();
    moves.close();
    compactor.close();
    try {
      closeLogs();
      saveCheckpoints();
      for (DataDirectory directory : directories) {
        directory.markStopped();
      }
    } finally {
      letGo();
    }
  }

  /** All of them, whose waits for the disk overlap, even if some fail. */
  private void closeLogs() throws IOException {
    Queue<IOException> failures = new ConcurrentLinkedQueue<>();
    try (ParallelWork work = ParallelWork.start(waitingThreads(logs.size()))) {
      for (PartitionLog log : partitions()) {
        work.add(
            () -> {
              try {
                log.close();
              } catch (IOException e) {
                failures.add(e);
              }
            });
      }
    }
    if (!failures.isEmpty()) {
      throw failures.remove();
    }
  }

  private void letGo() throws IOException {
    closed = true;
    compactor.close();
    for (PartitionLog log : partitions()) {
      log.abandon();
    }
    validations.close();
    for (DataDirectory directory : directories) {
      directory.close();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }
}
