package io.tidelog.bench.load;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.EndOffsets;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Kafka's Java producer with its defaults, records of 1 KiB, as fast as it can. */
public final class JavaProduce implements Load {
  static final Figure RATE = Figure.of("throughput", "MiB/s").atLeast(1);
  private static final double MIB = 1 << 20;

  @Override
  public String name() {
    return "java-produce";
  }

  @Override
  public List<Figure> figures() {
    return List.of(RawFigures.PER_GIB.atMost(1 / 4.0), RATE);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    return new Running(Serving.start(server, directory, plan));
  }

  private static final class Running extends ServedSubject {
    Running(Serving serving) {
      super(serving);
    }

    @Override
    Sample run(Duration span) throws Exception {
      Topic topic = serving.topic(1);
      byte[] value = Payload.ONE_KIB.value(new Random(1));
      Acknowledgements acknowledgements = new Acknowledgements();
      long records = 0;
      long end;
      long begun;
      double before;
      try (KafkaProducer<byte[], byte[]> producer = JavaClients.producer(topic, Map.of())) {
        producer.partitionsFor(topic.name());
        before = serving.cpuSeconds();
        begun = System.nanoTime();
        end = begun + span.toNanos();
        long most = serving.plan().sizes().mostBytes() / value.length;
        while (System.nanoTime() < end && records < most) {
          producer.send(new ProducerRecord<>(topic.name(), value), acknowledgements);
          records++;
        }
        producer.flush();
        end = System.nanoTime();
      }
      double cpuSeconds = serving.cpuSeconds() - before;
      acknowledgements.requireAll();
      EndOffsets.requireAdded(topic, 0, records);
      topic.delete();
      double mebibytes = records * value.length / MIB;
      return new Sample()
          .with(RawFigures.PER_GIB, cpuSeconds * 1024 / mebibytes)
          .with(RATE, mebibytes * 1e9 / (end - begun));
    }
  }
}
