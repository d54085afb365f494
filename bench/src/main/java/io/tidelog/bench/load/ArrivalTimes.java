package io.tidelog.bench.load;

import io.tidelog.bench.wire.Topic;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * Reads records that begin with the time at which they were to be sent, on a thread of its own.
 *
 * @param topic where they come from
 * @param records how many will come
 */
record ArrivalTimes(Topic topic, long records) {
  private static final Duration POLL = Duration.ofSeconds(20);
  private static final int DIGITS = 3;

  /** Begins; completed when the last one has come, or failed if one is missing. */
  CompletableFuture<Histogram> receive() {
    CompletableFuture<Histogram> done = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                done.complete(latencies());
              } catch (RuntimeException e) {
                done.completeExceptionally(e);
              }
            },
            "end-to-end-reader");
    reader.setDaemon(true);
    reader.start();
    return done;
  }

  private Histogram latencies() {
    Histogram latencies = new Histogram(DIGITS);
    try (KafkaConsumer<byte[], byte[]> consumer = JavaClients.consumer(topic)) {
      long next = 0;
      while (next < records) {
        long before = next;
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
          latencies.recordValue(System.nanoTime() - ByteBuffer.wrap(each.value()).getLong());
          next++;
        }
        if (next == before) {
          throw new IllegalStateException(next + " records came, expected " + records);
        }
      }
    }
    return latencies;
  }
}
