package io.tidelog.it.exactlyonce;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Writes the numbers from 0 on to the partitions in turn, not far ahead of who reads them. */
final class NumberSource implements AutoCloseable {
  private static final int MOST_AHEAD = 500;

  private final KafkaProducer<String, String> producer;
  private final int partitions;
  private final CommittedReader reader;
  private final Thread thread = new Thread(this::run, "source");
  private volatile boolean stopped;
  private volatile Exception failure;
  private int sent;

  private NumberSource(
      KafkaProducer<String, String> producer, int partitions, CommittedReader reader) {
    this.producer = producer;
    this.partitions = partitions;
    this.reader = reader;
  }

  static NumberSource start(String bootstrap, int partitions, CommittedReader reader) {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrap);
    NumberSource source =
        new NumberSource(
            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer()),
            partitions,
            reader);
    source.thread.start();
    return source;
  }

  private void run() {
    while (!stopped) {
      if (sent - reader.count() > MOST_AHEAD) {
        LockSupport.parkNanos(500_000);
        continue;
      }
      String number = Integer.toString(sent);
      producer.send(
          new ProducerRecord<>(LoopWorker.INPUT, sent % partitions, null, number),
          (metadata, e) -> {
            if (e != null) {
              failure = e;
            }
          });
      sent++;
    }
  }

  /** Ends it; answers what each partition was sent, all of it acknowledged. */
  List<List<String>> stop() throws Exception {
    stopped = true;
    thread.join();
    producer.flush();
    if (failure != null) {
      throw failure;
    }
    List<List<String>> numbers = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      List<String> ofOne = new ArrayList<>();
      for (int number = partition; number < sent; number += partitions) {
        ofOne.add(Integer.toString(number));
      }
      numbers.add(ofOne);
    }
    return numbers;
  }

  @Override
  public void close() {
    stopped = true;
    producer.close();
  }
}
