package io.tidelog.topic;

import io.tidelog.disk.DiskFullException;
import io.tidelog.store.LogStore;
import io.tidelog.store.Surroundings;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.image.MetadataImage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of this broker: lookups for every handler, and the way to change them.
 *
 * <p>Lookups read immutable values and may be made on any thread. A change returns a future that
 * completes when the change is on disk and in effect: metadata, produce, fetch and groups on a new
 * topic work at that moment. Futures fail with one of Kafka's API exceptions; they complete on the
 * thread that makes the changes, so what depends on them must be quick or go elsewhere.
 */
public final class Topics implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Topics.class);
  private static final String OFFSETS_TOPIC = "__consumer_offsets";
  private static final String TRANSACTIONS_TOPIC = "__transaction_state";

  private final NodeIdentity node;
  private final ServerSettings settings;
  private final Rollout rollout;
  private final ChangeLine line;
  private final TopicAdmin admin;
  private final ReplicaPlaces places;
  private final ProducerIds producerIds;

  private Topics(
      ServerSettings settings,
      Rollout rollout,
      ChangeLine line,
      TopicAdmin admin,
      ReplicaPlaces places) {
    this.node = places.node();
    this.settings = settings;
    this.rollout = rollout;
    this.line = line;
    this.admin = admin;
    this.places = places;
    this.producerIds = new ProducerIds(line, node.nodeId());
  }

  /**
   * Reads the metadata log, or starts a new one, and brings the store's partitions in line with it.
   *
   * @param store open, and closed by the caller after this
   * @param node who this node is
   * @param settings the server's settings
   * @param surroundings the clock stamps records, the random source gives topic ids
   * @throws IOException if the metadata log cannot be read or written, or a partition not be
   *     created
   */
  public static Topics open(
      LogStore store, NodeIdentity node, ServerSettings settings, Surroundings surroundings)
      throws IOException {
    ConfigLookup configs = new ConfigLookup(settings.explicit(), node.nodeId());
    Rollout rollout =
        new Rollout(
            new ServedTopics(store, surroundings.disk()),
            configs,
            new LiveCleaner(store.compactor(), configs));
    MetadataLog log = MetadataLog.open(store, surroundings, settings);
    MetadataReplay replay = log.replay();
    rollout.start(replay);
    InertMetadata.in(rollout.image()).ifPresent(LOG::info);
    store.registeredAs(rollout.image().cluster().brokerEpoch(node.nodeId()));
    ChangeLine line = new ChangeLine(log, replay.image(), rollout);
    ReplicaPlaces places = new ReplicaPlaces(store, line, node);
    Leadership leadership = new Leadership(node.nodeId(), store.wasStoppedCleanly());
    try {
      store
          .space()
          .payOrOwe(
              () -> {
                make(line, image -> Features.begin(image, replay.bootstrap()));
                make(line, leadership::take);
                make(line, places::correct);
              });
    } catch (IOException e) {
      line.close();
      throw e;
    }
    Placement placement = new Placement(node, settings.partitions());
    TopicAdmin admin =
        new TopicAdmin(
            line,
            new TopicCreation(placement, configs, ownRandom(surroundings)),
            new TopicGrowth(placement),
            new ConfigAlteration(new ConfigRules(configs)));
    return new Topics(settings, rollout, line, admin, places);
  }

  /** Makes a change that is part of every start. */
  private static void make(ChangeLine line, Change<Void> change) throws IOException {
    try {
      line.submit(change).join();
    } catch (CompletionException e) {
      Throwable refusal = e.getCause();
      throw refusal.getCause() instanceof DiskFullException full
          ? full
          : new IOException(refusal.getMessage(), refusal);
    }
  }

  /** The given source is the store's too, on other threads. */
  private static RandomGenerator ownRandom(Surroundings surroundings) {
    return new SplittableRandom(surroundings.random().nextLong());
  }

  public Optional<Topic> find(String name) {
    return rollout.served().find(name);
  }

  public Optional<Topic> find(Uuid id) {
    return rollout.served().find(id);
  }

  /** All topics, internal ones too, in no order. */
  public Collection<Topic> all() {
    return rollout.served().all();
  }

  /** Everything that the metadata log adds up to: topics, configs, features. */
  public MetadataImage image() {
    return rollout.image();
  }

  public NodeIdentity node() {
    return node;
  }

  public ServerSettings settings() {
    return settings;
  }

  /** Finds the values of configs. */
  public ConfigLookup configs() {
    return rollout.configs();
  }

  /** In which data directories the partitions lie, and the way to move them. */
  public ReplicaPlaces places() {
    return places;
  }

  /** Creates, deletes and alters topics. */
  public TopicAdmin admin() {
    return admin;
  }

  /**
   * The topic of this name, created with defaults if it is not there and auto.create.topics.enable
   * allows it. The topics of the coordinators ({@code __consumer_offsets}, {@code
   * __transaction_state}) are created with the partitions and configs that Kafka gives them,
   * whatever that setting says. Calls at the same time for one name get the same topic.
   *
   * <p>Fails with UnknownTopicOrPartitionException if it may not be created, with
   * InvalidTopicException for a name that no new topic can have.
   */
  public CompletableFuture<Topic> findOrCreate(String name) {
    Optional<Topic> found = find(name);
    if (found.isPresent()) {
      return CompletableFuture.completedFuture(found.get());
    }
    try {
      return admin
          .create(List.of(wishFor(name)), TopicAdmin.Intent.CARRY_OUT)
          .thenApply(outcomes -> created(name, outcomes.get(0)));
    } catch (ApiException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private NewTopic wishFor(String name) {
    TopicNames.check(name);
    if (name.equals(OFFSETS_TOPIC)) {
      return NewTopic.named(name)
          .withPartitions(settings.offsetsTopicPartitions())
          .withConfigs(settings.offsetsTopicConfigs());
    }
    if (name.equals(TRANSACTIONS_TOPIC)) {
      return NewTopic.named(name)
          .withPartitions(settings.transactionsTopicPartitions())
          .withConfigs(settings.transactionsTopicConfigs());
    }
    boolean isInternal = org.apache.kafka.common.internals.Topic.isInternal(name);
    if (isInternal || !settings.createsTopicsOnDemand()) {
      throw new UnknownTopicOrPartitionException("There is no topic '" + name + "'.");
    }
    return NewTopic.named(name);
  }

  private Topic created(String name, Outcome<CreatedTopic> outcome) {
    if (outcome.isRefused() && !(outcome.error() instanceof TopicExistsException)) {
      throw outcome.error();
    }
    return find(name)
        .orElseThrow(
            () -> new UnknownTopicOrPartitionException("Topic '" + name + "' was just deleted."));
  }

  /** Hears of every change from now on. */
  public void addListener(TopicsListener listener) {
    rollout.addListener(listener);
  }

  /**
   * A new producer id, never given before. Completes at once but for one call in a thousand, which
   * waits for the disk.
   */
  public CompletableFuture<Long> nextProducerId() {
    return producerIds.next();
  }

  /** Finishes the changes that were asked for, then refuses more. */
  @Override
  public void close() {
    line.close();
  }
}
