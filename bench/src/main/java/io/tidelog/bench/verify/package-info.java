/**
 * Job: measures {@code tidelog verify} beside Kafka's DumpLogSegments and a bare read of the file.
 *
 * <p>Start reading at: {@link io.tidelog.bench.verify.VerifyBench}.
 *
 * <p>Uses: result, run, server, store, log, record, disk, and as processes of their own the {@code
 * tidelog} launcher, Kafka's tool and {@code cat}.
 *
 * <p>Threads: one; processes run one at a time.
 */
package io.tidelog.bench.verify;
