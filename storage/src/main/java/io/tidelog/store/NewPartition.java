package io.tidelog.store;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogSettings;

/**
 * A partition that is to be created.
 *
 * @param topicId of its topic, which goes into its folder
 * @param settings of its log
 */
public record NewPartition(TopicPartition partition, TopicId topicId, LogSettings settings) {}
