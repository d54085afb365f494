package io.tidelog.verify;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.verify.TopicCatalog.Cleanup;
import io.tidelog.verify.TopicCatalog.TopicFacts;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of a partition before its logs are looked at.
 *
 * @param disk the door to its files
 * @param partition which one
 * @param files its files
 * @param state what the data directory says
 * @param options how to check
 */
record PartitionContext(
    Disk disk,
    TopicPartition partition,
    PartitionFiles files,
    DirectoryState state,
    VerifyOptions options) {
  private static final int DEFAULT_INDEX_INTERVAL_BYTES = 4096;
  private static final Set<String> ALWAYS_COMPACTED =
      Set.of("__consumer_offsets", "__transaction_state", "__share_group_state");
  static final String METADATA_TOPIC = "__cluster_metadata";

  /** Whether compaction may have removed records from the middle of the log. */
  enum Compaction {
    NEVER,
    PERHAPS,
    SURELY
  }

  Optional<TopicFacts> facts() {
    return options.topics().flatMap(topics -> topics.find(partition.topic()));
  }

  /** The cleaner's checkpoint keeps a line for each log that it has ever compacted. */
  Compaction compaction() {
    Optional<TopicFacts> facts = facts();
    if (ALWAYS_COMPACTED.contains(partition.topic())
        || facts.filter(topic -> topic.cleanup() == Cleanup.COMPACT).isPresent()
        || state.offset(OffsetCheckpoint.Kind.CLEANER, partition).isPresent()) {
      return Compaction.SURELY;
    }
    boolean isKnown =
        facts.isPresent()
            || (state.stop() != Stop.UNKNOWN && state.has(OffsetCheckpoint.Kind.CLEANER));
    return isKnown ? Compaction.NEVER : Compaction.PERHAPS;
  }

  /** The first offset that is not deleted, as far as the directory's checkpoints tell. */
  long start() {
    return state.offset(OffsetCheckpoint.Kind.LOG_START, partition).orElse(0L);
  }

  int indexIntervalBytes() {
    return facts().map(TopicFacts::indexIntervalBytes).orElse(DEFAULT_INDEX_INTERVAL_BYTES);
  }

  boolean isMetadata() {
    return partition.topic().equals(METADATA_TOPIC);
  }
}
