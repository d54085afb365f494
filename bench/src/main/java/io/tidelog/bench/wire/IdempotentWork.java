package io.tidelog.bench.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Produce by idempotent producers, one for each connection, each on the partition of its number.
 * The sequence number goes on from batch to batch, so the CRC is computed anew each time.
 */
public final class IdempotentWork implements Work {
  private static final int CRC_AT = 17;
  private static final int CRC_FROM = 21;
  private static final int BASE_SEQUENCE_AT = 53;

  private final List<Producer> producers = new ArrayList<>();
  private final int batchBytes;
  private final int records;

  /** A frame, where its batch begins, and the next sequence number. */
  private static final class Producer {
    private final ByteBuffer frame;
    private final int batchAt;
    private int sequence;

    Producer(ByteBuffer frame, int batchAt) {
      this.frame = frame;
      this.batchAt = batchAt;
    }
  }

  /** Takes a producer id over each connection. */
  public IdempotentWork(Topic topic, Payload payload, List<RawConnection> connections)
      throws IOException {
    int size = 0;
    for (RawConnection connection : connections) {
      InitProducerIdResponseData id = ProducerIds.next(connection);
      MemoryRecords batch = payload.batch(id.producerId(), id.producerEpoch());
      ByteBuffer frame = ProduceWork.frame(topic, List.of(producers.size()), batch);
      producers.add(new Producer(frame, Frame.find(frame, batch.buffer().duplicate())));
      size = batch.sizeInBytes();
    }
    this.batchBytes = size;
    this.records = payload.records();
  }

  @Override
  public ByteBuffer request(int connection) {
    Producer producer = producers.get(connection);
    ByteBuffer frame = producer.frame;
    frame.putInt(producer.batchAt + BASE_SEQUENCE_AT, producer.sequence);
    CRC32C crc = new CRC32C();
    crc.update(frame.slice(producer.batchAt + CRC_FROM, batchBytes - CRC_FROM));
    frame.putInt(producer.batchAt + CRC_AT, (int) crc.getValue());
    producer.sequence += records;
    return frame;
  }

  @Override
  public long answered(int connection, ByteBuffer answer) throws IOException {
    ProduceWork.check(answer, 1);
    return batchBytes;
  }
}
