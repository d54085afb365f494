package io.tidelog.bench.load;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.EndOffsets;
import io.tidelog.bench.wire.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * 2,000 records of 100 B a second through Kafka's Java producer (acks=1, linger.ms=0) and consumer.
 * An open loop: a record has a time at which it is to be sent, and its latency counts from there,
 * however late it is sent.
 */
public final class EndToEnd implements Load {
  private static final Figure CPU = Figure.of("broker CPU", "us/record").atMost(1 / 5.0);
  private static final Figure P50 = Figure.of("p50", "ms");
  private static final Figure P99 = Figure.of("p99", "ms").atMost(1 / 4.0);
  private static final Figure P999 = Figure.of("p99.9", "ms");

  private static final long RECORDS_PER_SECOND = 2000;
  private static final long EVERY_NS = TimeUnit.SECONDS.toNanos(1) / RECORDS_PER_SECOND;
  private static final int VALUE_BYTES = 100;
  private static final double MS = 1e6;

  @Override
  public String name() {
    return "end-to-end";
  }

  @Override
  public List<Figure> figures() {
    return List.of(CPU, P50, P99, P999);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    return new Running(Serving.start(server, directory, plan));
  }

  private record Running(Serving serving) implements Subject {

    /** Longer than elsewhere: at this rate compiled code comes slowly. */
    @Override
    public void warmUp() throws Exception {
      run(serving.plan().warmUp().multipliedBy(2));
    }

    @Override
    public Sample sample() throws Exception {
      return run(serving.span().multipliedBy(2));
    }

    private Sample run(Duration span) throws Exception {
      Topic topic = serving.topic(1);
      long records = span.toNanos() / EVERY_NS;
      ArrivalTimes arrivals = new ArrivalTimes(topic, records);
      CompletableFuture<Histogram> received = arrivals.receive();
      double before = serving.cpuSeconds();
      send(topic, records);
      Histogram latencies = received.get(1, TimeUnit.MINUTES);
      double cpuSeconds = serving.cpuSeconds() - before;
      EndOffsets.requireAdded(topic, 0, records);
      topic.delete();
      return new Sample()
          .with(CPU, cpuSeconds * 1e6 / records)
          .with(P50, latencies.getValueAtPercentile(50) / MS)
          .with(P99, latencies.getValueAtPercentile(99) / MS)
          .with(P999, latencies.getValueAtPercentile(99.9) / MS);
    }

    private static void send(Topic topic, long records) throws IOException {
      Acknowledgements acknowledgements = new Acknowledgements();
      try (KafkaProducer<byte[], byte[]> producer =
          JavaClients.producer(topic, Map.of("acks", "1", "linger.ms", "0"))) {
        producer.partitionsFor(topic.name());
        long due = System.nanoTime();
        for (long i = 0; i < records; i++) {
          due += EVERY_NS;
          while (System.nanoTime() < due) {
            LockSupport.parkNanos(due - System.nanoTime());
          }
          byte[] value = ByteBuffer.allocate(VALUE_BYTES).putLong(due).array();
          producer.send(new ProducerRecord<>(topic.name(), value), acknowledgements);
        }
      }
      acknowledgements.requireAll();
    }

    @Override
    public void close() throws IOException {
      serving.close();
    }
  }
}
