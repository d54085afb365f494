package io.tidelog.bench.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Produce with acks=all, the same batch again and again. */
public final class ProduceWork implements Work {
  static final short VERSION = 13;
  private static final short ACKS_ALL = -1;
  private static final int TIMEOUT_MS = 60_000;

  private final List<ByteBuffer> frames;
  private final int partitionsPerRequest;
  private final long bytesPerRequest;
  private int next;

  private ProduceWork(List<ByteBuffer> frames, int partitionsPerRequest, int batchBytes) {
    this.frames = frames;
    this.partitionsPerRequest = partitionsPerRequest;
    this.bytesPerRequest = (long) partitionsPerRequest * batchBytes;
  }

  /** Each request holds one batch for one partition; partitions take turns. */
  public static ProduceWork inTurn(Topic topic, MemoryRecords batch) {
    List<ByteBuffer> frames = new ArrayList<>();
    for (int partition = 0; partition < topic.partitions(); partition++) {
      frames.add(frame(topic, List.of(partition), batch));
    }
    return new ProduceWork(frames, 1, batch.sizeInBytes());
  }

  /** Each request holds one batch for each partition. */
  public static ProduceWork toAll(Topic topic, MemoryRecords batch) {
    List<Integer> all = new ArrayList<>();
    for (int partition = 0; partition < topic.partitions(); partition++) {
      all.add(partition);
    }
    return new ProduceWork(
        List.of(frame(topic, all, batch)), topic.partitions(), batch.sizeInBytes());
  }

  static ByteBuffer frame(Topic topic, List<Integer> partitions, MemoryRecords batch) {
    TopicProduceDataCollection topics = new TopicProduceDataCollection();
    topics.add(
        new TopicProduceData()
            .setTopicId(topic.id())
            .setPartitionData(
                partitions.stream()
                    .map(index -> new PartitionProduceData().setIndex(index).setRecords(batch))
                    .toList()));
    return Frame.of(
        ApiKeys.PRODUCE,
        VERSION,
        new ProduceRequestData().setAcks(ACKS_ALL).setTimeoutMs(TIMEOUT_MS).setTopicData(topics));
  }

  @Override
  public ByteBuffer request(int connection) {
    ByteBuffer frame = frames.get(next);
    next = (next + 1) % frames.size();
    return frame;
  }

  @Override
  public long answered(int connection, ByteBuffer answer) throws IOException {
    check(answer, partitionsPerRequest);
    return bytesPerRequest;
  }

  /** Nothing if so many partitions were answered without an error. */
  static void check(ByteBuffer answer, int partitions) throws RefusedException {
    ProduceResponseData response =
        new ProduceResponseData(RawConnection.body(answer, ApiKeys.PRODUCE, VERSION), VERSION);
    int counted = 0;
    for (TopicProduceResponse topic : response.responses()) {
      for (PartitionProduceResponse partition : topic.partitionResponses()) {
        RefusedException.throwIfError("Produce", partition.errorCode(), partition.errorMessage());
        counted++;
      }
    }
    if (counted != partitions) {
      throw new RefusedException(counted + " partitions were answered, expected " + partitions);
    }
  }
}
