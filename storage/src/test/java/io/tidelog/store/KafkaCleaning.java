package io.tidelog.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.DigestException;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.Cleaner;
import org.apache.kafka.storage.internals.log.LogCleanerManager;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogToClean;
import org.apache.kafka.storage.internals.log.PreCleanStats;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.utils.Throttler;

/** Apache Kafka's own cleaner, over one partition of a data directory. */
final class KafkaCleaning {
  private static final int IO_BUFFER_BYTES = 16 << 10;
  private static final int MAX_IO_BUFFER_BYTES = 1 << 20;

  private final UnifiedLog log;
  private final File directory;
  private final Time time;
  private final LogCleanerManager manager;

  KafkaCleaning(KafkaLog log, Path directory, Time time) {
    this.log = log.unified();
    this.directory = directory.toFile();
    this.time = time;
    ConcurrentMap<TopicPartition, UnifiedLog> logs = new ConcurrentHashMap<>();
    logs.put(this.log.topicPartition(), this.log);
    this.manager =
        new LogCleanerManager(List.of(this.directory), logs, new LogDirFailureChannel(1));
  }

  /** What Kafka would clean now, if it is due; nothing is cleaned. */
  Optional<LogToClean> due() {
    Optional<LogToClean> due = manager.grabFilthiestCompactedLog(time, new PreCleanStats());
    due.ifPresent(
        found -> manager.doneCleaning(log.topicPartition(), directory, found.firstDirtyOffset()));
    return due;
  }

  /** Cleans from one offset as far as another, in as many passes as its memory needs. */
  void clean(long firstDirty, long firstUncleanable, CleanerSettings settings)
      throws IOException, NoSuchAlgorithmException, DigestException {
    Cleaner cleaner =
        new Cleaner(
            0,
            new SkimpyOffsetMap((int) settings.keyBytes()),
            IO_BUFFER_BYTES,
            MAX_IO_BUFFER_BYTES,
            settings.keyLoad(),
            new Throttler(Double.MAX_VALUE, 300, "cleaner-io", "bytes", time),
            time,
            partition -> {});
    long from = firstDirty;
    while (from < firstUncleanable) {
      from = cleaner.clean(new LogToClean(log, from, firstUncleanable, false)).getKey();
    }
    manager.updateCheckpoints(
        directory, Optional.of(java.util.Map.entry(log.topicPartition(), from)), Optional.empty());
  }

  void close() {
    manager.removeMetrics();
  }
}
