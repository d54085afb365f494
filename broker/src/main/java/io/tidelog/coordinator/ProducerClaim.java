package io.tidelog.coordinator;

/**
 * Who a producer says that it is.
 *
 * @param transactionalId the name that it keeps over restarts; null or empty is refused
 * @param producerId the id that it was given
 * @param producerEpoch the epoch that it was given
 */
public record ProducerClaim(String transactionalId, long producerId, short producerEpoch) {

  /** Whether it has a name at all. */
  boolean isNamed() {
    return transactionalId != null && !transactionalId.isEmpty();
  }
}
