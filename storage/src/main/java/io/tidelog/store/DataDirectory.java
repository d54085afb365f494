package io.tidelog.store;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFullException;
import io.tidelog.disk.DiskLock;
import io.tidelog.log.PartitionLog;
import io.tidelog.recovery.KnownState;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** One data directory: its lock, its clean-shutdown marker and its checkpoints. */
final class DataDirectory implements Closeable {
  private static final String LOCK = ".lock";

  private final Path path;
  private final DiskLock lock;
  private final CleanShutdownMarker marker;
  private final OffsetCheckpoint recoveryPoints;
  private final OffsetCheckpoint starts;
  private final OffsetCheckpoint highWatermarks;
  private final KnownState.Stop lastStop;
  private final Map<TopicPartition, Long> knownRecoveryPoints;
  private final Map<TopicPartition, Long> knownStarts;
  private final long unsaidStart;
  private final Set<TopicPartition> foundPartitions = ConcurrentHashMap.newKeySet();
  private final StoreEvents events;
  private final Set<PartitionLog> expected = ConcurrentHashMap.newKeySet();
  private volatile long brokerEpoch = -1;

  /** Whether the checkpoints name logs that were deleted since they were written. */
  private volatile boolean namesGone;

  private DataDirectory(Surroundings around, Path path, DiskLock lock) throws IOException {
    Disk disk = around.disk();
    this.path = path;
    this.lock = lock;
    this.marker = new CleanShutdownMarker(disk, path);
    this.recoveryPoints = new OffsetCheckpoint(disk, path, OffsetCheckpoint.Kind.RECOVERY_POINT);
    this.starts = new OffsetCheckpoint(disk, path, OffsetCheckpoint.Kind.LOG_START);
    this.highWatermarks = new OffsetCheckpoint(disk, path, OffsetCheckpoint.Kind.HIGH_WATERMARK);
    this.events = around.events();
    Optional<Map<TopicPartition, Long>> known = readStarts();
    this.knownStarts = known.orElse(Map.of());
    this.unsaidStart = nameThoseHere(disk, known) ? 0 : KnownState.UNKNOWN_START;
    Optional<Map<TopicPartition, Long>> points = readRecoveryPoints();
    this.knownRecoveryPoints = points.orElse(Map.of());
    this.lastStop =
        points.isPresent() && marker.exists() ? KnownState.Stop.CLEAN : KnownState.Stop.UNCLEAN;
  }

  /** A line of a partition that is not here may be a damaged one of a partition that is. */
  private boolean nameThoseHere(Disk disk, Optional<Map<TopicPartition, Long>> known) {
    return known.isPresent()
        && known.get().keySet().stream()
            .allMatch(partition -> disk.isDirectory(path.resolve(partition.folderName())));
  }

  /**
   * Empty if the file is lost. After a crash it may be as empty as a young Kafka has made it, but
   * that is told.
   */
  private Optional<Map<TopicPartition, Long>> readStarts() throws IOException {
    if (!starts.exists()) {
      return Optional.empty();
    }
    try {
      starts.requireWritten();
      return Optional.of(starts.read());
    } catch (MalformedFileException e) {
      if (marker.exists()) {
        throw e;
      }
      events.happened(
          StoreEvents.Kind.REPAIRED,
          e.getMessage()
              + " The last stop was not clean, so each log begins where its leader epochs do.");
      return Optional.empty();
    }
  }

  /** Empty if they cannot be read: then the logs tell, read from the first byte to the last. */
  private Optional<Map<TopicPartition, Long>> readRecoveryPoints() throws IOException {
    try {
      recoveryPoints.requireWritten();
      return Optional.of(recoveryPoints.read());
    } catch (MalformedFileException e) {
      events.happened(
          StoreEvents.Kind.REPAIRED, e.getMessage() + " All logs of " + path + " are read again.");
      return Optional.empty();
    }
  }

  /** Takes the directory, creating it if it is missing. */
  static DataDirectory open(Surroundings around, Path path) throws IOException {
    createDurably(around.disk(), path);
    DiskLock lock = around.disk().lock(path.resolve(LOCK));
    try {
      return new DataDirectory(around, path, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Creates a directory and those above it that are missing, so that a power cut leaves them. */
  private static void createDurably(Disk disk, Path path) throws IOException {
    List<Path> missing = new ArrayList<>();
    for (Path each = path.toAbsolutePath();
        each != null && !disk.exists(each);
        each = each.getParent()) {
      missing.add(each);
    }
    disk.createDirectories(path);
    try {
      for (Path created : missing) {
        disk.syncDirectory(created.getParent());
      }
    } catch (IOException e) {
      throw new IOException(path + " cannot be created durably: " + e.getMessage(), e);
    }
  }

  /** Takes all of them, or none. */
  static List<DataDirectory> openAll(Surroundings around, List<Path> paths) throws IOException {
    List<DataDirectory> directories = new ArrayList<>();
    try {
      for (Path path : paths) {
        directories.add(open(around, path));
      }
      return List.copyOf(directories);
    } catch (IOException | RuntimeException e) {
      for (DataDirectory directory : directories) {
        directory.close();
      }
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** Whether a log lies here now. */
  boolean holds(PartitionLog log) {
    return log.directory().getParent().equals(path);
  }

  /** A log is about to come: the checkpoints name it from here on. */
  void expect(PartitionLog log) {
    expected.add(log);
  }

  /** It has come, and is given with the others, or does not come. */
  void expectNoMore(PartitionLog log) {
    expected.remove(log);
  }

  boolean wasStoppedCleanly() {
    return lastStop == KnownState.Stop.CLEAN;
  }

  KnownState known(TopicPartition partition) {
    return new KnownState(
        lastStop,
        knownRecoveryPoints.getOrDefault(partition, 0L),
        knownStarts.getOrDefault(partition, unsaidStart));
  }

  /** This partition has a folder here, even if it is one that was put aside. */
  void found(PartitionFolder folder) {
    foundPartitions.add(folder.partition());
  }

  /**
   * Whether the checkpoints have to be written before anything is appended. They name partitions
   * that are no longer here, as after a crash during their deletion, and one made again under the
   * same name must not be judged by them; it is told which are missing. Nor must what is appended
   * be taken for durable where a log ends below its recovery point.
   */
  boolean namesOthers(Collection<PartitionLog> logs) {
    Set<TopicPartition> others = new TreeSet<>(knownRecoveryPoints.keySet());
    others.addAll(knownStarts.keySet());
    logs.forEach(log -> others.remove(log.topicPartition()));
    others.stream().filter(other -> !foundPartitions.contains(other)).forEach(this::tellMissing);
    return !others.isEmpty() || logs.stream().anyMatch(this::endsEarly);
  }

  /** Has the checkpoints name these logs and no others. */
  void strikeOthers(Collection<PartitionLog> logs) throws IOException {
    saveStarts(logs);
    saveRecoveryPoints(logs);
    namesGone = false;
  }

  /** The same after a log has gone; on a full disk the checkpoints go on naming it. */
  void forget(Collection<PartitionLog> left) throws IOException {
    try {
      strikeOthers(left);
    } catch (DiskFullException full) {
      namesGone = true;
    }
  }

  /** Before a log is created, which must not be judged by what was said of an older one. */
  void requireForgotten(Collection<PartitionLog> logs) throws IOException {
    if (namesGone) {
      strikeOthers(logs);
    }
  }

  private boolean endsEarly(PartitionLog log) {
    return log.recoveryPoint() < knownRecoveryPoints.getOrDefault(log.topicPartition(), 0L);
  }

  private void tellMissing(TopicPartition partition) {
    long end = knownRecoveryPoints.getOrDefault(partition, 0L);
    if (end > 0) {
      events.happened(
          StoreEvents.Kind.REPAIRED,
          "%s is missing, expected a folder with the records up to offset %d, as %s says. If its topic was not deleted, stop and put it in place again: the partition begins anew at offset 0"
              .formatted(
                  path.resolve(partition.folderName()),
                  end - 1,
                  OffsetCheckpoint.Kind.RECOVERY_POINT.fileName()));
    }
  }

  /**
   * From here on a crash is a crash. Comes after all logs were opened and before anything is
   * appended.
   */
  void markInUse() throws IOException {
    marker.remove();
  }

  /** What the marker of a clean stop is to say to Kafka. */
  void registeredAs(long epoch) {
    brokerEpoch = epoch;
  }

  /** Comes last in a clean stop. */
  void markStopped() throws IOException {
    marker.write(brokerEpoch);
  }

  synchronized void saveRecoveryPoints(Collection<PartitionLog> logs) throws IOException {
    recoveryPoints.write(offsets(logs, PartitionLog::recoveryPoint));
  }

  synchronized void saveHighWatermarks(Collection<PartitionLog> logs) throws IOException {
    highWatermarks.write(offsets(logs, log -> log.view().highWatermark()));
  }

  /** Only starts that the first segment's name does not tell are written. */
  synchronized void saveStarts(Collection<PartitionLog> logs) throws IOException {
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    for (PartitionLog log : withExpected(logs)) {
      long start = log.startToSave();
      if (start > 0) {
        offsets.put(log.topicPartition(), start);
      }
    }
    starts.write(offsets);
  }

  private Set<PartitionLog> withExpected(Collection<PartitionLog> logs) {
    Set<PartitionLog> all = new LinkedHashSet<>(logs);
    all.addAll(expected);
    return all;
  }

  private Map<TopicPartition, Long> offsets(
      Collection<PartitionLog> logs, ToLongFunction<PartitionLog> offset) {
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    for (PartitionLog log : withExpected(logs)) {
      offsets.put(log.topicPartition(), offset.applyAsLong(log));
    }
    return offsets;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
