/**
 * Job: the client matrix. Every mainstream client goes through the same rows against one broker.
 *
 * <p>Start reading at: {@link io.tidelog.it.matrix.ClientMatrixIT}.
 *
 * <p>Uses: the program as a child process; clients of others as child processes.
 *
 * <p>Threads: each client is a process of its own, one after the other.
 */
package io.tidelog.it.matrix;
