package io.tidelog.store;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskLock;
import io.tidelog.log.LogView;
import io.tidelog.log.PartitionLog;
import io.tidelog.recovery.KnownState;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
  private volatile long brokerEpoch = -1;

  private DataDirectory(Surroundings around, Path path, DiskLock lock) throws IOException {
    Disk disk = around.disk();
    this.path = path;
    this.lock = lock;
    this.marker = new CleanShutdownMarker(disk, path);
    this.recoveryPoints = new OffsetCheckpoint(disk, path, OffsetCheckpoint.Kind.RECOVERY_POINT);
    this.starts = new OffsetCheckpoint(disk, path, OffsetCheckpoint.Kind.LOG_START);
    this.highWatermarks = new OffsetCheckpoint(disk, path, OffsetCheckpoint.Kind.HIGH_WATERMARK);
    this.knownStarts = starts.read();
    Optional<Map<TopicPartition, Long>> points = readRecoveryPoints(around.events());
    this.knownRecoveryPoints = points.orElse(Map.of());
    this.lastStop =
        points.isPresent() && marker.exists() ? KnownState.Stop.CLEAN : KnownState.Stop.UNCLEAN;
  }

  /** Empty if they cannot be read: then the logs tell, read from the first byte to the last. */
  private Optional<Map<TopicPartition, Long>> readRecoveryPoints(StoreEvents events)
      throws IOException {
    try {
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

  boolean wasStoppedCleanly() {
    return lastStop == KnownState.Stop.CLEAN;
  }

  KnownState known(TopicPartition partition) {
    return new KnownState(
        lastStop,
        knownRecoveryPoints.getOrDefault(partition, 0L),
        knownStarts.getOrDefault(partition, 0L));
  }

  /**
   * Strikes partitions from the checkpoints that are no longer here, as after a crash during their
   * deletion: one made again under the same name must not be judged by them.
   */
  void forgetOthers(Collection<PartitionLog> logs) throws IOException {
    Set<TopicPartition> others = new HashSet<>(knownRecoveryPoints.keySet());
    others.addAll(knownStarts.keySet());
    logs.forEach(log -> others.remove(log.topicPartition()));
    if (!others.isEmpty()) {
      saveRecoveryPoints(logs);
      saveStarts(logs);
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
    for (PartitionLog log : logs) {
      LogView view = log.view();
      if (view.start() > 0) {
        offsets.put(log.topicPartition(), view.start());
      }
    }
    starts.write(offsets);
  }

  private static Map<TopicPartition, Long> offsets(
      Collection<PartitionLog> logs, ToLongFunction<PartitionLog> offset) {
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    for (PartitionLog log : logs) {
      offsets.put(log.topicPartition(), offset.applyAsLong(log));
    }
    return offsets;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
