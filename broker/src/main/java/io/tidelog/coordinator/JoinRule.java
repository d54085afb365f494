package io.tidelog.coordinator;

import io.tidelog.producer.TransactionProtocol;

/** What has to be so before a partition takes the first batch of a transaction. */
public enum JoinRule {
  /** The producer has added the partition; one that has not is told so in an old client's words. */
  VERIFY_OLD,
  /** The producer has added the partition. */
  VERIFY,
  /** Nothing: the partition is added now. */
  ADD;

  private static final int FIRST_PRODUCE_THAT_ADDS = 12;
  private static final int FIRST_PRODUCE_WITH_ABORTABLE = 11;
  private static final int FIRST_COMMIT_THAT_ADDS = 5;
  private static final int FIRST_COMMIT_WITH_ABORTABLE = 4;

  /** The rule for a version of Produce. */
  public static JoinRule ofProduce(int version) {
    return of(version, FIRST_PRODUCE_WITH_ABORTABLE, FIRST_PRODUCE_THAT_ADDS);
  }

  /** The rule for a version of TxnOffsetCommit. */
  static JoinRule ofOffsetCommit(int version) {
    return of(version, FIRST_COMMIT_WITH_ABORTABLE, FIRST_COMMIT_THAT_ADDS);
  }

  private static JoinRule of(int version, int firstWithAbortable, int firstThatAdds) {
    if (version >= firstThatAdds) {
      return ADD;
    }
    return version >= firstWithAbortable ? VERIFY : VERIFY_OLD;
  }

  /** How producers under this rule take part in transactions. */
  public TransactionProtocol protocol() {
    return this == ADD ? TransactionProtocol.V2 : TransactionProtocol.V1;
  }
}
