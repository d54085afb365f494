package io.tidelog.coordinator;

import io.tidelog.store.Scheduler;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What a run of a coordinator takes from outside.
 *
 * @param clock what timeouts and expiry go by
 * @param scheduler wakes the timer
 * @param executor one thread, for loads and for metadata that may wait
 */
record CoordinatorSurroundings(InstantSource clock, Scheduler scheduler, Executor executor) {}
