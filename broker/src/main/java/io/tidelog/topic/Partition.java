package io.tidelog.topic;

import io.tidelog.log.PartitionLog;

/**
 * One partition as this broker leads it.
 *
 * @param index the partition's number, from 0
 * @param leaderEpoch the epoch to append with and to compare a client's epoch with
 * @param log its log; closed from the moment that the topic is deleted
 */
public record Partition(int index, int leaderEpoch, PartitionLog log) {}
