package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.Transactions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;

/**
 * The coordinators of this broker.
 *
 * @param groups of consumer groups
 * @param transactions of transactional ids
 */
record Coordinators(Groups groups, Transactions transactions) {

  /** Done when the coordinator of this type can be asked; empty if there is none. */
  Optional<CompletableFuture<Void>> ready(byte type) {
    if (type == CoordinatorType.GROUP.id()) {
      return Optional.of(groups.ready());
    }
    return type == CoordinatorType.TRANSACTION.id()
        ? Optional.of(transactions.ready())
        : Optional.empty();
  }
}
