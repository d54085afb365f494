package io.tidelog.producer;

/**
 * The batch with which a producer wants to begin a transaction in a partition.
 *
 * @param producerId whose
 * @param epoch the producer's epoch
 * @param baseSequence sequence number of its first record
 * @param protocol how the producer takes part in transactions
 */
public record FirstBatch(
    long producerId, short epoch, int baseSequence, TransactionProtocol protocol) {}
