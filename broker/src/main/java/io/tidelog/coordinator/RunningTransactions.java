package io.tidelog.coordinator;

import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime.CoordinatorReadOperation;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntimeMetricsImpl;
import org.apache.kafka.coordinator.common.runtime.MultiThreadedEventProcessor;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionStateManagerConfig;
import org.apache.kafka.server.util.timer.TimerTask;

/**
 * One run of the transaction coordinator over one {@code __transaction_state} topic: its shards on
 * Kafka's runtime of coordinators, and what is done for them in the background.
 */
final class RunningTransactions implements OnDemand.Hosted {
  private static final String THREAD = "tidelog-transactions-";
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(30);
  private static final int MOST_BUFFER_BYTES = 1 << 20;

  private final Topic topic;
  private final TransactionNeeds needs;
  private final Time time;
  private final ClockTimer timer;
  private final LedPartitions led = new LedPartitions();
  private final Metrics metrics = new Metrics();
  private final CoordinatorRuntime<TransactionShard, TransactionRecord> runtime;
  private final Completions completions;

  private RunningTransactions(
      Topic topic, TransactionNeeds needs, CoordinatorSurroundings outside) {
    this.topic = topic;
    this.needs = needs;
    time = new ClockTime(outside.clock());
    timer = new ClockTimer(time, outside.scheduler());
    runtime = runtime(outside);
    completions =
        new Completions(
            needs.markers(),
            timer,
            id -> led.require(partitionOf(id)).leaderEpoch(),
            this::complete);
  }

  private CoordinatorRuntime<TransactionShard, TransactionRecord> runtime(
      CoordinatorSurroundings outside) {
    TransactionRecordFormat format = new TransactionRecordFormat(needs.inForce());
    CoordinatorRuntimeMetricsImpl runtimeMetrics =
        new CoordinatorRuntimeMetricsImpl(
            metrics, TransactionStateManagerConfig.METRICS_GROUP, false);
    LogContext context = new LogContext("[transactions] ");
    return new CoordinatorRuntime.Builder<TransactionShard, TransactionRecord>()
        .withLogContext(context)
        .withTime(time)
        .withTimer(timer)
        .withWriteTimeout(WRITE_TIMEOUT)
        .withEventProcessor(
            new MultiThreadedEventProcessor(context, THREAD, 1, time, runtimeMetrics))
        .withPartitionWriter(
            new StateWriter(
                led,
                (producer, partitions, rule) ->
                    CompletableFuture.failedFuture(
                        new UnsupportedVersionException("transactions do not contain others"))))
        .withLoader(
            new StateLoader<>(
                led, outside.executor(), time, needs.settings().loadBufferBytes(), format))
        .withCoordinatorShardBuilderSupplier(() -> new TransactionShards(this::resume))
        .withCoordinatorRuntimeMetrics(runtimeMetrics)
        .withCoordinatorMetrics(new NoShardMetrics())
        .withSerializer(format)
        .withExecutorService(Executors.newCachedThreadPool())
        .withCachedBufferMaxBytesSupplier(() -> MOST_BUFFER_BYTES)
        .build();
  }

  /** Starts a coordinator that leads no partition yet. */
  static RunningTransactions start(
      Topic topic, TransactionNeeds needs, CoordinatorSurroundings outside) {
    RunningTransactions transactions = new RunningTransactions(topic, needs, outside);
    transactions.repeat(needs.settings().timeoutCheckMs(), transactions::abortTimedOut);
    transactions.repeat(needs.settings().expiryCheckMs(), transactions::forgetExpired);
    return transactions;
  }

  private void repeat(long periodMs, Runnable work) {
    timer.add(
        new TimerTask(periodMs) {
          @Override
          public void run() {
            work.run();
            repeat(periodMs, work);
          }
        });
  }

  @Override
  public void lead(Partition partition) {
    led.add(partition);
    runtime.scheduleLoadOperation(name(partition.index()), partition.leaderEpoch());
  }

  @Override
  public CompletableFuture<Void> settled() {
    return led.settled(timer);
  }

  private TopicPartition name(int partition) {
    return new TopicPartition(topic.name(), partition);
  }

  private TopicPartition partitionOf(String transactionalId) {
    return name(Utils.abs(transactionalId.hashCode()) % topic.partitionCount());
  }

  /** The time by which decisions are made. */
  long nowMs() {
    return time.milliseconds();
  }

  /**
   * Decides on a change of a transaction. The answer comes when the change is committed; if it ends
   * the transaction, the partitions are told from then on.
   */
  <T> CompletableFuture<T> change(
      String what, String transactionalId, Function<TransactionShard, Decision<T>> decide) {
    return runtime
        .scheduleWriteOperation(
            what, partitionOf(transactionalId), shard -> decide.apply(shard).result())
        .thenApply(
            decision -> {
              decision.next().filter(TransactionShard::isEnding).ifPresent(completions::begin);
              return decision.answer();
            });
  }

  /** Asks one shard for what is committed. */
  <T> CompletableFuture<T> ask(
      String what, String transactionalId, CoordinatorReadOperation<TransactionShard, T> question) {
    return runtime.scheduleReadOperation(what, partitionOf(transactionalId), question);
  }

  /** Asks every shard for what is committed. */
  <T> List<CompletableFuture<T>> askAll(
      String what, CoordinatorReadOperation<TransactionShard, T> question) {
    return runtime.scheduleReadAllOperation(what, question);
  }

  /** A decided transaction whose partitions all know is over. */
  private CompletableFuture<?> complete(TransactionMetadata ending) {
    return change(
        "complete",
        ending.transactionalId(),
        shard ->
            shard
                .find(ending.transactionalId())
                .filter(TransactionShard::isEnding)
                .filter(state -> state.producerId() == ending.producerId())
                .filter(state -> state.producerEpoch() == ending.producerEpoch())
                .map(
                    state ->
                        Decision.<Void>move(
                            Transition.after(state, last -> last.prepareComplete(nowMs())), null))
                .orElse(Decision.stay(null)));
  }

  /** Goes on with what was decided before these transactions were loaded. */
  private void resume(TopicPartition loaded) {
    carryOut(runtime.scheduleWriteOperation("resume", loaded, RunningTransactions::decided));
  }

  /** All that is decided and may have to be carried out: what is under way already stays so. */
  private static CoordinatorResult<List<TransactionMetadata>, TransactionRecord> decided(
      TransactionShard shard) {
    return new CoordinatorResult<>(List.of(), shard.select(TransactionShard::isEnding));
  }

  private void carryOut(CompletableFuture<List<TransactionMetadata>> decided) {
    CompletableFuture<?> unused =
        decided.thenAccept(endings -> endings.forEach(completions::begin));
  }

  private void abortTimedOut() {
    Overdue overdue = new Overdue(needs);
    runtime
        .scheduleWriteAllOperation("abort", shard -> overdue.abort(shard, nowMs()))
        .forEach(
            aborted -> {
              CompletableFuture<?> unused = aborted.thenAccept(Overdue::tell);
            });
    runtime
        .scheduleWriteAllOperation("resume", RunningTransactions::decided)
        .forEach(this::carryOut);
  }

  private void forgetExpired() {
    Overdue overdue = new Overdue(needs);
    runtime.scheduleWriteAllOperation("forget", shard -> overdue.forget(shard, nowMs()));
  }

  @Override
  public void close() {
    Utils.closeQuietly(runtime, "the transaction coordinator");
    metrics.close();
  }

  /** Asks every shard something, which each answers once what was asked before is written. */
  @Override
  public CompletableFuture<?> finish() {
    return CompletableFuture.allOf(
        runtime
            .scheduleWriteAllOperation(
                "finish", shard -> new CoordinatorResult<Void, TransactionRecord>(List.of()))
            .stream()
            .map(answer -> answer.exceptionally(RunningTransactions::unlessNotLoaded))
            .toArray(CompletableFuture<?>[]::new));
  }

  /** What is still being loaded was asked nothing that could be unfinished. */
  private static Void unlessNotLoaded(Throwable failure) {
    if (TransactionErrors.cause(failure) instanceof CoordinatorLoadInProgressException) {
      return null;
    }
    throw new CompletionException(TransactionErrors.cause(failure));
  }
}
