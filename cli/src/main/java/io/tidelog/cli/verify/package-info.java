/**
 * Job: {@code tidelog verify}: checks data directories and shows what is wrong with them.
 *
 * <p>Start reading at: {@link io.tidelog.cli.verify.VerifyCommand}.
 *
 * <p>Uses: cli.terminal, coordinator, topic, verify, checkpoint, producer, disk, picocli.
 *
 * <p>Threads: the main thread; those of the check tell it how far they are.
 */
package io.tidelog.cli.verify;
