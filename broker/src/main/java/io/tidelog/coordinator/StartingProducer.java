package io.tidelog.coordinator;

import java.util.Optional;

/**
 * A producer that wants an id and an epoch for its transactions.
 *
 * @param transactionalId its name, not null
 * @param timeoutMs after which the coordinator aborts a transaction of it
 * @param known the id and epoch that it has and wants to go on with, if it has any
 */
public record StartingProducer(
    String transactionalId, int timeoutMs, Optional<ProducerClaim> known) {}
