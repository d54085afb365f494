/**
 * Job: the only door to files. Everything else in the project names files by {@link
 * java.nio.file.Path} and touches them through {@link io.tidelog.disk.Disk}, so that a test can cut
 * the power at any call.
 *
 * <p>Start reading at: {@link io.tidelog.disk.Disk}, then {@link io.tidelog.disk.DiskFile}.
 *
 * <p>Uses: the JDK alone.
 *
 * <p>Threads: a {@code Disk} is shared by all threads. A {@code DiskFile} may be read by any number
 * of threads while one thread writes to it.
 */
package io.tidelog.disk;
