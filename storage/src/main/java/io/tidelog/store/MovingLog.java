package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import java.nio.file.Path;

/**
 * A partition on its way to another data directory.
 *
 * @param partition which one
 * @param directory the data directory that it goes to
 * @param copiedBytes bytes of its log that are there already
 * @param offsetLag how many offsets are not
 */
public record MovingLog(
    TopicPartition partition, Path directory, long copiedBytes, long offsetLag) {}
