/**
 * Job: chooses which segments of a log are to go, and says why. A pure choice; the log carries it
 * out.
 *
 * <p>Start reading at: {@link io.tidelog.retention.Retention}.
 *
 * <p>Uses: log, segment.
 *
 * <p>Threads: none of its own, no state.
 */
package io.tidelog.retention;
