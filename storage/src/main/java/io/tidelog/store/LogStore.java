package io.tidelog.store;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Skeleton: the embeddable API; many partitions over data directories. */
public final class LogStore implements Closeable {

  private LogStore() {}

  /**
   * Opens with the real disk, clock and background threads. Creates the directory if it is missing.
   */
  public static LogStore open(Path directory, StoreSettings settings) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** As above over several data directories (log.dirs), with everything passed in. */
  public static LogStore open(
      List<Path> directories, StoreSettings settings, Surroundings surroundings)
      throws IOException {
    throw new IllegalStateException("skeleton");
  }

  public List<Path> directories() {
    throw new IllegalStateException("skeleton");
  }

  /** Creates an empty partition in the data directory with the fewest partitions. */
  public PartitionLog create(TopicPartition partition, TopicId topicId, LogSettings settings)
      throws IOException {
    throw new IllegalStateException("skeleton");
  }

  public Optional<PartitionLog> find(TopicPartition partition) {
    throw new IllegalStateException("skeleton");
  }

  public Collection<PartitionLog> partitions() {
    throw new IllegalStateException("skeleton");
  }

  /**
   * Takes a partition out of service at once (reads and appends see a closed log); its files go
   * after file.delete.delay.ms.
   */
  public void delete(TopicPartition partition) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** A clean stop: all is on disk, the clean-shutdown marker is written last. */
  @Override
  public void close() throws IOException {
    throw new IllegalStateException("skeleton");
  }
}
