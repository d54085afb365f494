package io.tidelog.store;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** A partition's folder in the hands of Apache Kafka's own log code. */
public final class KafkaLog implements AutoCloseable {
  private static final int PRODUCER_ID_EXPIRATION_MS = Integer.MAX_VALUE;

  private final UnifiedLog log;
  private final InlineScheduler scheduler;

  private KafkaLog(UnifiedLog log, InlineScheduler scheduler) {
    this.scheduler = scheduler;
    this.log = log;
  }

  /** Opens a folder after a clean stop. */
  public static KafkaLog openClean(Path folder, TopicId topicId, Map<String, String> config)
      throws IOException {
    return open(folder, topicId, config, Stop.CLEAN);
  }

  /** Opens a folder as after a crash: all of it is read again. */
  public static KafkaLog openUnclean(Path folder, TopicId topicId, Map<String, String> config)
      throws IOException {
    return open(folder, topicId, config, Stop.UNCLEAN);
  }

  /** How the log was stopped before. */
  enum Stop {
    CLEAN,
    UNCLEAN
  }

  /** What the checkpoints of the data directory say. */
  record Found(Stop stop, long start) {}

  private static KafkaLog open(Path folder, TopicId topicId, Map<String, String> config, Stop stop)
      throws IOException {
    return open(folder, topicId, config, new Found(stop, 0), Time.SYSTEM);
  }

  static KafkaLog open(
      Path folder, TopicId topicId, Map<String, String> config, Found found, Time time)
      throws IOException {
    Map<String, Object> values = new HashMap<>(config);
    if (config.containsKey("segment.bytes")) {
      values.put("internal.segment.bytes", Integer.parseInt(config.get("segment.bytes")));
      values.remove("segment.bytes");
    }
    InlineScheduler scheduler = new InlineScheduler();
    return new KafkaLog(
        UnifiedLog.create(
            folder.toFile(),
            new LogConfig(values),
            found.start,
            0L,
            scheduler,
            new BrokerTopicStats(),
            time,
            PRODUCER_ID_EXPIRATION_MS,
            new ProducerStateManagerConfig(PRODUCER_ID_EXPIRATION_MS, false),
            PRODUCER_ID_EXPIRATION_MS,
            new LogDirFailureChannel(1),
            found.stop == Stop.CLEAN,
            Optional.of(new Uuid(topicId.high(), topicId.low())),
            new ConcurrentHashMap<>(),
            false,
            LogOffsetsListener.NO_OP_OFFSETS_LISTENER),
        scheduler);
  }

  /** Appends as a leader; the buffer is used up. */
  public void append(ByteBuffer batch, int leaderEpoch) throws IOException {
    log.appendAsLeader(MemoryRecords.readableRecords(batch), leaderEpoch);
    log.updateHighWatermark(log.logEndOffset());
  }

  /** Appends without a word to those who wait for the high watermark. */
  void appendUncommitted(ByteBuffer batch, int leaderEpoch) throws IOException {
    log.appendAsLeader(MemoryRecords.readableRecords(batch), leaderEpoch);
  }

  /** Appends the marker that ends a transaction, uncommitted. */
  void appendMarker(EndTransactionMarker marker, long timestampMs, int leaderEpoch)
      throws IOException {
    MemoryRecords records =
        MemoryRecords.withEndTransactionMarker(
            0,
            timestampMs,
            leaderEpoch,
            marker.producerId(),
            marker.epoch(),
            new org.apache.kafka.common.record.internal.EndTransactionMarker(
                marker.outcome() == Outcome.ABORT
                    ? ControlRecordType.ABORT
                    : ControlRecordType.COMMIT,
                marker.coordinatorEpoch()));
    log.appendAsLeader(
        records,
        leaderEpoch,
        AppendOrigin.COORDINATOR,
        RequestLocal.noCaching(),
        VerificationGuard.SENTINEL,
        (short) (marker.protocol() == TransactionProtocol.V2 ? 2 : 1));
  }

  /** Moves the high watermark. */
  void commitTo(long offset) throws IOException {
    log.updateHighWatermark(offset);
  }

  UnifiedLog unified() {
    return log;
  }

  long lastStable() {
    return log.lastStableOffset();
  }

  /** The aborted transactions that a read_committed reader is told of: producer, first offset. */
  List<Map.Entry<Long, Long>> aborted(long offset, int maxBytes) throws IOException {
    return log
        .read(offset, maxBytes, FetchIsolation.TXN_COMMITTED, true)
        .abortedTransactions
        .orElse(List.of())
        .stream()
        .map(aborted -> Map.entry(aborted.producerId(), aborted.firstOffset()))
        .toList();
  }

  void truncateTo(long offset) {
    log.truncateTo(offset);
  }

  /** deleteRecords, and the segments below go. */
  void deleteBelow(long offset) throws IOException {
    log.maybeIncrementLogStartOffset(offset, LogStartOffsetIncrementReason.ClientRecordDeletion);
    log.deleteOldSegments();
  }

  public long start() {
    return log.logStartOffset();
  }

  public long end() {
    return log.logEndOffset();
  }

  /** Checks the indexes as Kafka does at a start. */
  public void checkIndexes() throws IOException {
    for (LogSegment segment : log.logSegments()) {
      segment.sanityCheck(false);
    }
  }

  /** All records from the start offset on. */
  public List<Lab.Entry> entries() throws IOException {
    List<Lab.Entry> entries = new ArrayList<>();
    long offset = log.logStartOffset();
    while (offset < log.logEndOffset()) {
      Records records = log.read(offset, 64 * 1024, FetchIsolation.LOG_END, true).records;
      for (Record record : records.records()) {
        record.ensureValid();
        if (record.offset() >= offset) {
          entries.add(
              new Lab.Entry(
                  record.offset(), record.timestamp(), text(record.key()), text(record.value())));
          offset = record.offset() + 1;
        }
      }
    }
    return entries;
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString();
  }

  /** As Kafka's log manager does it at a clean stop. */
  @Override
  public void close() {
    log.prepareActiveSegmentForClose();
    log.close();
    scheduler.shutdown();
  }

  /** Runs what is to run at once on the caller's thread and passes over what is to run later. */
  private static final class InlineScheduler implements Scheduler {
    private final ScheduledExecutorService never = Executors.newSingleThreadScheduledExecutor();

    @Override
    public void startup() {}

    @Override
    public void shutdown() {
      never.shutdownNow();
    }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
      if (delayMs == 0 && periodMs < 0) {
        task.run();
      }
      return never.schedule(() -> {}, 1, TimeUnit.DAYS);
    }

    @Override
    public void resizeThreadPool(int newSize) {}
  }
}
