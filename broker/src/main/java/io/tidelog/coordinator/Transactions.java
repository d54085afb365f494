package io.tidelog.coordinator;

import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.store.Surroundings;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import io.tidelog.topic.TopicsListener;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * The transactions that this broker coordinates: who may write in the name of which transactional
 * id, which partitions a transaction has, how it ends, and that all of them are told.
 *
 * <p>Nothing of it runs until the first call that needs it: then {@code __transaction_state} is
 * created if it is missing, and what the logs hold is loaded. Transactions whose end was decided
 * before are completed then. As in Kafka, only a search for the coordinator and a producer that
 * starts create the topic; whatever else is asked while there is none gets NOT_COORDINATOR.
 *
 * <p>What is refused is an error in the answer; the futures do not fail.
 */
public final class Transactions implements TransactionAdmission, TopicsListener, Closeable {
  private static final String TRANSACTIONS_TOPIC =
      org.apache.kafka.common.internals.Topic.TRANSACTION_STATE_TOPIC_NAME;

  private final Topics topics;
  private final TransactionSettings settings;
  private final SpareProducerIds ids;
  private final MarkerWriter markers;
  private final AtomicReference<Groups> groups = new AtomicReference<>();
  private final OnDemand<RunningTransactions> host;

  private Transactions(Topics topics, TransactionSettings settings, Surroundings around) {
    this.topics = topics;
    this.settings = settings;
    this.ids = new SpareProducerIds(topics::nextProducerId);
    this.markers =
        new MarkerWriter(
            topics, (partition, marker) -> groups.get().completeTransaction(partition, marker));
    TransactionNeeds needs = new TransactionNeeds(settings, this::inForce, ids, markers);
    this.host =
        new OnDemand<>(
            topics,
            new OnDemand.Kind<>(
                "transaction coordinator",
                TRANSACTIONS_TOPIC,
                "tidelog-transactions",
                (topic, executor) ->
                    RunningTransactions.start(
                        topic,
                        needs,
                        new CoordinatorSurroundings(
                            around.clock(), around.scheduler(), executor))));
  }

  /**
   * The transactions over these topics.
   *
   * @param surroundings the clock that timeouts and expiry go by, and the scheduler that wakes them
   */
  public static Transactions over(
      Topics topics, TransactionSettings settings, Surroundings surroundings) {
    Transactions transactions = new Transactions(topics, settings, surroundings);
    topics.addListener(transactions);
    return transactions;
  }

  /** Goes on with the transactions that the logs hold, if they hold any. */
  public void resume() {
    boolean holdsAny =
        topics.find(TRANSACTIONS_TOPIC).stream()
            .flatMap(topic -> topic.partitions().stream())
            .anyMatch(partition -> partition.log().view().end() > partition.log().view().start());
    if (holdsAny) {
      CompletableFuture<?> unused = host.started();
    }
  }

  /** Tells who keeps committed offsets: before the first call. */
  void offsetsAreKeptBy(Groups keeper) {
    groups.set(keeper);
  }

  /** The settings that transactions go by. */
  public TransactionSettings settings() {
    return settings;
  }

  private TransactionVersion inForce() {
    short level =
        topics
            .image()
            .features()
            .finalizedVersions()
            .getOrDefault(TransactionVersion.FEATURE_NAME, (short) 0);
    return TransactionVersion.fromFeatureLevel(level);
  }

  /** Done when transactions can be served. Starts what is needed for it. */
  public CompletableFuture<Void> ready() {
    return host.started().thenApply(running -> null);
  }

  /** A producer starts: it gets the id and the epoch of its transactional id. */
  public CompletableFuture<ProducerGrant> start(StartingProducer producer) {
    if (producer.transactionalId().isEmpty()) {
      return CompletableFuture.completedFuture(ProducerGrant.of(Errors.INVALID_REQUEST));
    }
    if (producer.timeoutMs() <= 0 || producer.timeoutMs() > settings.maxTimeoutMs()) {
      return CompletableFuture.completedFuture(
          ProducerGrant.of(Errors.INVALID_TRANSACTION_TIMEOUT));
    }
    return ids.ready()
        .thenCompose(done -> host.started())
        .thenCompose(
            running ->
                running.change(
                    "start",
                    producer.transactionalId(),
                    shard ->
                        new ProducerStart(producer, ids::take, inForce(), running.nowMs())
                            .decide(shard.find(producer.transactionalId()))))
        .exceptionally(failure -> ProducerGrant.of(TransactionErrors.of(failure)));
  }

  /** Adds partitions to a producer's transaction; the first ones begin it. */
  public CompletableFuture<Errors> addPartitions(
      ProducerClaim producer, Set<TopicPartition> partitions, TransactionVersion version) {
    if (!producer.isNamed()) {
      return CompletableFuture.completedFuture(Errors.INVALID_REQUEST);
    }
    TransactionMembership members = new TransactionMembership(producer, partitions);
    return existing(
            running ->
                running.change(
                    "add partitions",
                    producer.transactionalId(),
                    shard ->
                        members.add(
                            shard.require(producer.transactionalId()), version, running.nowMs())))
        .exceptionally(TransactionErrors::of);
  }

  /** Says of each partition whether it is part of a producer's transaction. */
  public CompletableFuture<Map<TopicPartition, Errors>> verify(
      ProducerClaim producer, Set<TopicPartition> partitions) {
    if (!producer.isNamed()) {
      return CompletableFuture.completedFuture(all(partitions, Errors.INVALID_REQUEST));
    }
    TransactionMembership members = new TransactionMembership(producer, partitions);
    return existing(
            running ->
                running.ask(
                    "verify",
                    producer.transactionalId(),
                    (shard, committed) ->
                        members.verify(
                            shard
                                .find(producer.transactionalId(), committed)
                                .orElseThrow(Errors.INVALID_PRODUCER_ID_MAPPING::exception))))
        .exceptionally(failure -> all(partitions, TransactionErrors.of(failure)));
  }

  private static Map<TopicPartition, Errors> all(Set<TopicPartition> partitions, Errors error) {
    Map<TopicPartition, Errors> errors = new HashMap<>();
    partitions.forEach(partition -> errors.put(partition, error));
    return errors;
  }

  @Override
  public CompletableFuture<Map<TopicPartition, Errors>> admit(
      ProducerClaim producer, Set<TopicPartition> partitions, JoinRule rule) {
    if (rule != JoinRule.ADD && !settings.verifiesPartitions()) {
      return CompletableFuture.completedFuture(Map.of());
    }
    if (!host.hasTopic()) {
      return CompletableFuture.completedFuture(all(partitions, Errors.COORDINATOR_NOT_AVAILABLE));
    }
    return rule == JoinRule.ADD
        ? addPartitions(producer, partitions, TransactionVersion.TV_2)
            .thenApply(error -> refusals(all(partitions, error), rule))
        : verify(producer, partitions).thenApply(errors -> refusals(errors, rule));
  }

  /** What the writer of a first batch is told, as far as it is refused. */
  private static Map<TopicPartition, Errors> refusals(
      Map<TopicPartition, Errors> answers, JoinRule rule) {
    Map<TopicPartition, Errors> refusals = new HashMap<>();
    answers.forEach(
        (partition, error) -> {
          if (error == Errors.PRODUCER_FENCED) {
            refusals.put(partition, Errors.INVALID_PRODUCER_EPOCH);
          } else if (error == Errors.TRANSACTION_ABORTABLE && rule == JoinRule.VERIFY_OLD) {
            refusals.put(partition, Errors.INVALID_TXN_STATE);
          } else if (error != Errors.NONE) {
            refusals.put(partition, error);
          }
        });
    return refusals;
  }

  /** Ends a producer's transaction. The answer comes when the decision is committed. */
  public CompletableFuture<ProducerGrant> end(
      ProducerClaim producer, TransactionResult result, TransactionVersion version) {
    if (!producer.isNamed()) {
      return CompletableFuture.completedFuture(ProducerGrant.of(Errors.INVALID_REQUEST));
    }
    return existing(
            running ->
                running.change(
                    "end",
                    producer.transactionalId(),
                    shard ->
                        new TransactionEnd(producer, result, version, ids::take, running.nowMs())
                            .decide(shard.require(producer.transactionalId()))))
        .exceptionally(failure -> ProducerGrant.of(TransactionErrors.of(failure)));
  }

  /**
   * Writes a marker that somebody asks for, be it that of a transaction known here or not. Done
   * when it counts; fails as the partition's log does.
   */
  public CompletableFuture<Void> writeMarker(
      TopicPartition partition, EndTransactionMarker marker) {
    return markers.write(partition, marker);
  }

  /** Describes the transaction of one transactional id. */
  public CompletableFuture<DescribeTransactionsResponseData.TransactionState> describe(
      String transactionalId) {
    DescribeTransactionsResponseData.TransactionState row =
        new DescribeTransactionsResponseData.TransactionState().setTransactionalId(transactionalId);
    if (transactionalId.isEmpty()) {
      return CompletableFuture.completedFuture(row.setErrorCode(Errors.INVALID_REQUEST.code()));
    }
    return existing(
            running ->
                running.ask(
                    "describe",
                    transactionalId,
                    (shard, committed) ->
                        shard
                            .find(transactionalId, committed)
                            .map(state -> fill(row, state))
                            .orElseThrow(Errors.TRANSACTIONAL_ID_NOT_FOUND::exception)))
        .exceptionally(failure -> row.setErrorCode(TransactionErrors.of(failure).code()));
  }

  private static DescribeTransactionsResponseData.TransactionState fill(
      DescribeTransactionsResponseData.TransactionState row, TransactionMetadata state) {
    for (TopicPartition partition : state.topicPartitions()) {
      TopicData topic = row.topics().find(partition.topic());
      if (topic == null) {
        topic = new TopicData().setTopic(partition.topic());
        row.topics().add(topic);
      }
      topic.partitions().add(partition.partition());
    }
    return row.setProducerId(state.producerId())
        .setProducerEpoch(state.producerEpoch())
        .setTransactionState(state.state().stateName())
        .setTransactionTimeoutMs(state.txnTimeoutMs())
        .setTransactionStartTimeMs(state.txnStartTimestamp());
  }

  /**
   * Lists transactions.
   *
   * @throws org.apache.kafka.common.errors.InvalidRegularExpression if the pattern is none
   */
  public CompletableFuture<ListTransactionsResponseData> list(ListTransactionsRequestData asked) {
    if (!host.hasTopic()) {
      TransactionListing nothing = new TransactionListing(asked, 0);
      return CompletableFuture.completedFuture(
          new ListTransactionsResponseData().setUnknownStateFilters(nothing.unknownStates()));
    }
    return host.started()
        .thenCompose(
            running -> {
              TransactionListing listing = new TransactionListing(asked, running.nowMs());
              return gather(listing, running);
            })
        .exceptionally(
            failure ->
                new ListTransactionsResponseData()
                    .setErrorCode(TransactionErrors.of(failure).code()));
  }

  private static CompletableFuture<ListTransactionsResponseData> gather(
      TransactionListing listing, RunningTransactions running) {
    List<CompletableFuture<List<TransactionMetadata>>> found =
        running
            .askAll("list", (shard, committed) -> shard.select(listing::includes, committed))
            .stream()
            .map(some -> some.exceptionally(Transactions::unlessNotServed))
            .toList();
    return CompletableFuture.allOf(found.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            done -> {
              List<ListTransactionsResponseData.TransactionState> rows = new ArrayList<>();
              found.forEach(
                  some -> some.join().forEach(state -> rows.add(TransactionListing.row(state))));
              return new ListTransactionsResponseData()
                  .setUnknownStateFilters(listing.unknownStates())
                  .setTransactionStates(rows);
            });
  }

  /** What cannot be loaded is left out. */
  private static List<TransactionMetadata> unlessNotServed(Throwable failure) {
    Errors error = TransactionErrors.of(failure);
    if (error == Errors.NOT_COORDINATOR) {
      return List.of();
    }
    throw error.exception();
  }

  private <T> CompletableFuture<T> existing(
      Function<RunningTransactions, CompletableFuture<T>> question) {
    return host.hasTopic()
        ? host.started().thenCompose(question)
        : CompletableFuture.failedFuture(
            Errors.NOT_COORDINATOR.exception("there are no transactions yet"));
  }

  @Override
  public void changed(MetadataDelta delta, MetadataImage image) {}

  @Override
  public void deleted(Topic topic) {
    host.deleted(topic);
  }

  /** Fails the calls under way and ends all threads. Groups and topics are closed after this. */
  @Override
  public void close() {
    host.close();
  }
}
