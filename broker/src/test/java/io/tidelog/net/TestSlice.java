package io.tidelog.net;

import io.tidelog.protocol.RecordsSlice;
import io.tidelog.protocol.SliceRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.requests.FetchRequest;

/** A slice of a real file that counts what is done to it. */
final class TestSlice implements RecordsSlice {
  static final short FETCH_VERSION = 12;

  private final FileChannel file;
  private final long start;
  private final int sizeBytes;
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger transfers = new AtomicInteger();
  private final AtomicInteger releases = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);

  TestSlice(FileChannel file, long start, int sizeBytes) {
    this.file = file;
    this.start = start;
    this.sizeBytes = sizeBytes;
  }

  static FetchRequest fetch() {
    return new FetchRequest(new FetchRequestData(), FETCH_VERSION);
  }

  /** A fetch answer with one partition for each slice. */
  static FetchResponseData answer(TestSlice... slices) {
    FetchableTopicResponse topic = new FetchableTopicResponse().setTopic("t");
    for (int partition = 0; partition < slices.length; partition++) {
      topic
          .partitions()
          .add(
              new PartitionData()
                  .setPartitionIndex(partition)
                  .setRecords(new SliceRecords(slices[partition])));
    }
    FetchResponseData answer = new FetchResponseData();
    answer.responses().add(topic);
    return answer;
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    transfers.incrementAndGet();
    return file.transferTo(start + position, Math.min(count, sizeBytes - position), target);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    reads.incrementAndGet();
    return file.read(target, start + position);
  }

  @Override
  public void release() {
    releases.incrementAndGet();
    released.countDown();
  }

  int start() {
    return Math.toIntExact(start);
  }

  int reads() {
    return reads.get();
  }

  int transfers() {
    return transfers.get();
  }

  int releases() {
    return releases.get();
  }

  boolean awaitRelease() throws InterruptedException {
    return released.await(RawClient.TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }
}
