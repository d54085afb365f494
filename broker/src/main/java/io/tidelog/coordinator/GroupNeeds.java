package io.tidelog.coordinator;

/**
 * What groups go by.
 *
 * @param settings timeouts and the like
 * @param admission asked before offsets are committed in a transaction
 */
record GroupNeeds(GroupSettings settings, TransactionAdmission admission) {}
