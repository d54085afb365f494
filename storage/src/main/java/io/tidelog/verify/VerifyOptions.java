package io.tidelog.verify;

import java.util.Optional;

/**
 * How a check is done.
 *
 * @param depth how deep it looks
 * @param threads how many share the segments, and pieces of large ones
 * @param topics what the cluster's metadata say; empty if that is not known
 * @param records checks of what is in the records of some topics; used by {@link Depth#DEEP}
 * @param listener told how far it is
 */
public record VerifyOptions(
    Depth depth,
    int threads,
    Optional<TopicCatalog> topics,
    RecordCheck.Source records,
    VerifyListener listener) {

  /** How deep a check looks. */
  public enum Depth {
    /** Every batch is compared with its CRC; its header and all else is checked. */
    BATCHES,
    /** Every record is unpacked and checked too. */
    DEEP
  }

  private static final VerifyOptions DEFAULT =
      new VerifyOptions(
          Depth.BATCHES,
          Runtime.getRuntime().availableProcessors(),
          Optional.empty(),
          RecordCheck.Source.NONE,
          (done, total) -> {});

  public VerifyOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads are " + threads + ", expected 1 or more");
    }
  }

  /** All but the records, on all processors. */
  public static VerifyOptions batches() {
    return DEFAULT;
  }

  /** All, on all processors. */
  public static VerifyOptions deep() {
    return new VerifyOptions(
        Depth.DEEP, DEFAULT.threads, DEFAULT.topics, DEFAULT.records, DEFAULT.listener);
  }

  /** The same on so many threads. */
  public VerifyOptions withThreads(int others) {
    return new VerifyOptions(depth, others, topics, records, listener);
  }

  /** The same with what the metadata say of topics. */
  public VerifyOptions withTopics(TopicCatalog catalog) {
    return new VerifyOptions(depth, threads, Optional.of(catalog), records, listener);
  }

  /** The same with checks of what is in records. */
  public VerifyOptions withRecords(RecordCheck.Source checks) {
    return new VerifyOptions(depth, threads, topics, checks, listener);
  }

  /** The same, telling somebody how far it is. */
  public VerifyOptions withListener(VerifyListener other) {
    return new VerifyOptions(depth, threads, topics, records, other);
  }
}
