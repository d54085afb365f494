/**
 * Job: shows that clients, tools and log code that strangers wrote agree with Tidelog, run as the
 * real program.
 *
 * <p>Start reading at: {@link io.tidelog.it.RealInputIT}.
 *
 * <p>Uses: the program as a child process; Kafka's Java client and tools; kcat; Node's clients.
 *
 * <p>Threads: each test starts what it needs and stops it.
 */
package io.tidelog.it;
