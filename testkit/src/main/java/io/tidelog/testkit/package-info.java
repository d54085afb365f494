/**
 * Job: what tests need to be repeatable and harsh: a disk that loses power, a clock that stands
 * still, random operations that shrink to the few that fail.
 *
 * <p>Start reading at: {@link io.tidelog.testkit.SimDisk}, whose doc is the fault model; then
 * {@link io.tidelog.testkit.CrashSweep} and {@link io.tidelog.testkit.Property}.
 *
 * <p>Uses: disk.
 *
 * <p>Threads: a {@code SimDisk} and a {@code SimClock} may be used by any number of threads;
 * results repeat only as far as the order of calls does. All else belongs to the test's own thread.
 */
package io.tidelog.testkit;
