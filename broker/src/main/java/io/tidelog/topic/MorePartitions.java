package io.tidelog.topic;

import java.util.List;
import java.util.Optional;

/**
 * A wish for more partitions of a topic.
 *
 * @param topic its name
 * @param partitions how many it is to have
 * @param assignments the nodes of each added partition, in order, if the wish names them
 */
public record MorePartitions(
    String topic, int partitions, Optional<List<List<Integer>>> assignments) {}
