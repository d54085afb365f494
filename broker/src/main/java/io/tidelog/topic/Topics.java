package io.tidelog.topic;

import io.tidelog.store.LogStore;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataImage;

/**
 * The topics of this broker: lookups for every handler, and the way to change them.
 *
 * <p>Lookups read immutable values and may be made on any thread. A change returns a future that
 * completes when the change is on disk and in effect: metadata, produce, fetch and groups on a new
 * topic work at that moment. Futures fail with one of Kafka's API exceptions; they complete on the
 * thread that makes the changes, so what depends on them must be quick or go elsewhere.
 */
public final class Topics implements Closeable {

  private Topics() {}

  /**
   * Reads the metadata log, or starts a new one, and brings the store's partitions in line with it.
   *
   * @param store open, and closed by the caller after this
   * @param node who this node is
   * @param serverSettings the settings that somebody set, under Kafka's server-level names; the
   *     rest have Kafka's defaults
   * @param clock stamps the records
   */
  public static Topics open(
      LogStore store, NodeIdentity node, Map<String, String> serverSettings, InstantSource clock)
      throws IOException {
    throw new IllegalStateException("skeleton");
  }

  public Optional<Topic> find(String name) {
    throw new IllegalStateException("skeleton");
  }

  public Optional<Topic> find(Uuid id) {
    throw new IllegalStateException("skeleton");
  }

  /** All topics, internal ones too, in no order. */
  public Collection<Topic> all() {
    throw new IllegalStateException("skeleton");
  }

  /** Everything that the metadata log adds up to: topics, configs, features. */
  public MetadataImage image() {
    throw new IllegalStateException("skeleton");
  }

  public NodeIdentity node() {
    throw new IllegalStateException("skeleton");
  }

  /**
   * The topic of this name, created with defaults if it is not there and auto.create.topics.enable
   * allows it. An internal topic ({@code __consumer_offsets}) is created with the partitions and
   * configs that Kafka gives it, whatever that setting says. Calls at the same time for one name
   * get the same topic.
   *
   * <p>Fails with UnknownTopicOrPartitionException if it may not be created, with
   * InvalidTopicException for a name that no topic can have.
   */
  public CompletableFuture<Topic> findOrCreate(String name) {
    throw new IllegalStateException("skeleton");
  }

  /** Hears of every change from now on. */
  public void addListener(TopicsListener listener) {
    throw new IllegalStateException("skeleton");
  }

  /**
   * A new producer id, never given before. Completes at once but for one call in a thousand, which
   * waits for the disk.
   */
  public CompletableFuture<Long> nextProducerId() {
    throw new IllegalStateException("skeleton");
  }

  /** Finishes the changes that were asked for, then refuses more. */
  @Override
  public void close() {
    throw new IllegalStateException("skeleton");
  }
}
