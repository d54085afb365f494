package io.tidelog.protocol;

import java.io.IOException;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.internal.RecordsSend;

/** A {@link SliceRecords} on its way through Kafka's channel layer. */
public final class SliceSend extends RecordsSend<SliceRecords> {

  SliceSend(SliceRecords records) {
    super(records, records.sizeInBytes());
  }

  @Override
  protected int writeTo(TransferableChannel channel, int sentBytes, int remainingBytes)
      throws IOException {
    return Math.toIntExact(records().transferTo(sentBytes, channel));
  }
}
