package io.tidelog.coordinator;

import java.util.function.Supplier;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * What transactions go by and what they cause.
 *
 * @param settings timeouts and the like
 * @param inForce the level of the feature {@code transaction.version}
 * @param ids gives producer ids
 * @param markers tells partitions how a transaction ended
 */
record TransactionNeeds(
    TransactionSettings settings,
    Supplier<TransactionVersion> inForce,
    SpareProducerIds ids,
    MarkerWriter markers) {}
