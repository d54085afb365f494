package io.tidelog.bench.load;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Kafka's Java consumer with its defaults, 1 KiB records from the page cache. */
public final class JavaConsume implements Load {
  private static final Duration POLL = Duration.ofSeconds(10);
  private static final long FILL_BYTES = 1L << 28;
  private static final double MIB = 1 << 20;

  @Override
  public String name() {
    return "java-consume";
  }

  @Override
  public List<Figure> figures() {
    return List.of(RawFigures.PER_GIB.atMost(1 / 2.0), JavaProduce.RATE);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    Serving serving = Serving.start(server, directory, plan);
    try {
      return new Running(serving, Written.fill(serving, FILL_BYTES));
    } catch (Exception e) {
      serving.close();
      throw e;
    }
  }

  private static final class Running extends ServedSubject {
    private final Written written;

    Running(Serving serving, Written written) {
      super(serving);
      this.written = written;
    }

    @Override
    Sample run(Duration span) throws IOException {
      double before = serving.cpuSeconds();
      long begun = System.nanoTime();
      long bytes = 0;
      while (System.nanoTime() - begun < span.toNanos()) {
        bytes += readAll();
      }
      long end = System.nanoTime();
      double cpuSeconds = serving.cpuSeconds() - before;
      return new Sample()
          .with(RawFigures.PER_GIB, cpuSeconds * 1024 * MIB / bytes)
          .with(JavaProduce.RATE, bytes / MIB * 1e9 / (end - begun));
    }

    private long readAll() throws IOException {
      long next = 0;
      long bytes = 0;
      try (KafkaConsumer<byte[], byte[]> consumer = JavaClients.consumer(written.topic())) {
        while (next < written.records()) {
          long before = next;
          for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
            if (each.offset() != next) {
              throw new IOException("offset " + each.offset() + " came, expected " + next);
            }
            next++;
            bytes += each.value().length;
          }
          if (next == before) {
            throw new IOException("nothing came within " + POLL + " at offset " + next);
          }
        }
      }
      return bytes;
    }
  }
}
