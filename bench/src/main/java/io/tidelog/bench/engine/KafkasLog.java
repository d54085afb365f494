package io.tidelog.bench.engine;

import io.tidelog.bench.run.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.FileRecords.TimestampAndOffset;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** A partition in the hands of Kafka's own log code, with its defaults. */
final class KafkasLog implements AutoCloseable {
  private static final int NEVER_MS = Integer.MAX_VALUE;
  private static final int LEADER_EPOCH = 0;

  private final Scratch scratch = new Scratch();
  private final KafkaScheduler scheduler = new KafkaScheduler(1);
  private final UnifiedLog log;

  KafkasLog() throws IOException {
    scheduler.startup();
    Path folder = scratch.folder("bench-0");
    log =
        UnifiedLog.create(
            folder.toFile(),
            new LogConfig(Map.of()),
            0L,
            0L,
            scheduler,
            new BrokerTopicStats(),
            Time.SYSTEM,
            NEVER_MS,
            new ProducerStateManagerConfig(NEVER_MS, false),
            NEVER_MS,
            new LogDirFailureChannel(1),
            true,
            Optional.of(new Uuid(1, 1)),
            new ConcurrentHashMap<>(),
            false,
            LogOffsetsListener.NO_OP_OFFSETS_LISTENER);
  }

  /** Appends a batch, which stays as it is but for its offset and epoch, as a partition would. */
  long append(ByteBuffer batch) throws IOException {
    long first =
        log.appendAsLeader(MemoryRecords.readableRecords(batch), LEADER_EPOCH).firstOffset();
    log.maybeIncrementHighWatermark(log.logEndOffsetMetadata());
    return first;
  }

  /** Bytes that a read found. */
  int read(long offset, int maxBytes) throws IOException {
    return log.read(offset, maxBytes, FetchIsolation.HIGH_WATERMARK, true).records.sizeInBytes();
  }

  long offsetAtTime(long timestampMs) {
    return log.fetchOffsetByTimestamp(timestampMs, Optional.empty())
        .timestampAndOffsetOpt()
        .map(KafkasLog::offset)
        .orElse(-1L);
  }

  private static long offset(TimestampAndOffset found) {
    return found.offset;
  }

  @Override
  public void close() throws IOException {
    log.close();
    try {
      scheduler.shutdown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    scratch.close();
  }
}
