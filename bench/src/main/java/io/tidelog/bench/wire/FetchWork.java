package io.tidelog.bench.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Fetches the first partition of a topic from its beginning, again and again, in equal steps. */
public final class FetchWork implements Work {
  private static final short VERSION = 17;
  private static final int NO_SESSION = -1;
  private static final int WAIT_MS = 500;
  private static final long MARK = 0x0123_4567_89ab_cdefL;

  private final ByteBuffer frame;
  private final int offsetAt;
  private final Step step;
  private final long steps;
  private long asked;
  private long answered;

  /**
   * How much a request asks for.
   *
   * @param bytes exactly so many, which are whole batches
   * @param records that these bytes hold
   */
  public record Step(int bytes, int records) {}

  /**
   * Work on what was written before.
   *
   * @param end the partition's end offset
   */
  public FetchWork(Topic topic, Step step, long end) {
    this.step = step;
    this.steps = end / step.records;
    this.frame = frame(topic, step.bytes);
    this.offsetAt = Frame.find(frame, ByteBuffer.allocate(Long.BYTES).putLong(MARK).flip());
  }

  private static ByteBuffer frame(Topic topic, int bytes) {
    FetchPartition partition =
        new FetchPartition().setPartition(0).setFetchOffset(MARK).setPartitionMaxBytes(bytes);
    return Frame.of(
        ApiKeys.FETCH,
        VERSION,
        new FetchRequestData()
            .setMaxWaitMs(WAIT_MS)
            .setMinBytes(1)
            .setMaxBytes(bytes)
            .setSessionId(0)
            .setSessionEpoch(NO_SESSION)
            .setTopics(
                List.of(
                    new FetchTopic().setTopicId(topic.id()).setPartitions(List.of(partition)))));
  }

  @Override
  public ByteBuffer request(int connection) {
    frame.putLong(offsetAt, asked++ % steps * step.records);
    return frame;
  }

  @Override
  public long answered(int connection, ByteBuffer answer) throws IOException {
    FetchResponseData response =
        new FetchResponseData(RawConnection.body(answer, ApiKeys.FETCH, VERSION), VERSION);
    RefusedException.throwIfError("Fetch", response.errorCode(), null);
    if (response.responses().size() != 1 || response.responses().get(0).partitions().size() != 1) {
      throw new RefusedException("Fetch did not answer one partition: " + response);
    }
    PartitionData partition = response.responses().get(0).partitions().get(0);
    RefusedException.throwIfError("Fetch", partition.errorCode(), null);
    long offset = answered++ % steps * step.records;
    ByteBuffer records = ((MemoryRecords) partition.records()).buffer();
    if (records.remaining() != step.bytes || records.getLong(records.position()) != offset) {
      throw new RefusedException(
          records.remaining() + " bytes came, expected " + step.bytes + " from offset " + offset);
    }
    return step.bytes;
  }
}
