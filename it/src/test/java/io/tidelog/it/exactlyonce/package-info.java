/**
 * Job: shows that a read-process-write loop with transactions writes everything exactly once,
 * whatever is killed meanwhile.
 *
 * <p>Start reading at: {@link io.tidelog.it.exactlyonce.ExactlyOnceIT}.
 *
 * <p>Uses: the program and the workers as child processes; Kafka's Java client.
 *
 * <p>Threads: one that writes the input, one that reads the output, and the test's.
 */
package io.tidelog.it.exactlyonce;
