package io.tidelog.verify;

import io.tidelog.checkpoint.TopicId;
import java.util.Optional;

/** What the cluster's metadata say of topics. Used by many threads. */
@FunctionalInterface
public interface TopicCatalog {

  /** A topic; empty if the metadata know none of this name. */
  Optional<TopicFacts> find(String topic);

  /** Whether the metadata still tell that a topic with this id was deleted. */
  default boolean wasDeleted(TopicId id) {
    return false;
  }

  /**
   * What a check needs to know of a topic.
   *
   * @param id the topic's id
   * @param partitions how many it has
   * @param cleanup what may be removed from its logs
   * @param indexIntervalBytes bytes of log per index entry
   */
  record TopicFacts(TopicId id, int partitions, Cleanup cleanup, int indexIntervalBytes) {}

  /** What may be removed from a log. */
  enum Cleanup {
    /** Whole segments at its start. */
    DELETE,
    /** Records anywhere, if a later one has their key. */
    COMPACT
  }
}
