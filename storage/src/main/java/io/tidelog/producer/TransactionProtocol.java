package io.tidelog.producer;

/** How producers and coordinators of transactions speak with each other. */
public enum TransactionProtocol {
  /** A producer keeps its epoch from one transaction to the next. */
  V1,
  /** Each end of a transaction raises the producer's epoch, and its marker has the new one. */
  V2;

  private static final int FIRST_THAT_RAISES = 2;

  /**
   * The protocol behind the feature level {@code transaction.version}.
   *
   * @param level 0, 1, 2 …
   */
  public static TransactionProtocol ofLevel(int level) {
    return level >= FIRST_THAT_RAISES ? V2 : V1;
  }
}
