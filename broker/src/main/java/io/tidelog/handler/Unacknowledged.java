package io.tidelog.handler;

import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;

/**
 * A batch that is written but not yet below the high watermark.
 *
 * @param found where it is
 * @param lastOffset its last offset
 * @param response what the producer will be told
 */
record Unacknowledged(FoundPartition found, long lastOffset, PartitionProduceResponse response) {

  boolean isAcknowledged() {
    return found.log().view().highWatermark() > lastOffset;
  }
}
