package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import java.nio.file.Path;

/**
 * A partition that cannot be compacted until something is repaired. It is tried again when the file
 * or the partition's settings change, and when it is asked for.
 *
 * @param partition which
 * @param file what stands in the way lies in it
 * @param position byte at which it does, -1 if that is not known
 * @param reason the whole sentence
 * @param sinceMs when it was found
 */
public record Uncleanable(
    TopicPartition partition, Path file, long position, String reason, long sinceMs) {}
