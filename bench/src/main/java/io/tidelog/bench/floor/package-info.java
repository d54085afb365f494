/**
 * Job: the least that the kernel asks for moving bytes, as bare loops in processes of their own.
 *
 * <p>Start reading at: {@link io.tidelog.bench.floor.ReceiveFloor}.
 *
 * <p>Uses: run, server's process figures, result.
 *
 * <p>Threads: one in each process.
 */
package io.tidelog.bench.floor;
