package io.tidelog.cli.client;

import io.tidelog.cli.terminal.CommandException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Sends records one after another and stops at the first that fails. Acknowledgements come on the
 * producer's thread; all else is for one thread.
 */
final class Sending implements AutoCloseable {
  private final String topic;
  private final Integer partition;
  private final BrokerOptions broker;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicReference<Failed> firstFailure = new AtomicReference<>();

  /** A record that was not stored, and why. */
  private record Failed(String place, Exception cause) {}

  /**
   * @param partition null to leave it to the producer
   */
  Sending(
      String topic,
      Integer partition,
      BrokerOptions broker,
      KafkaProducer<byte[], byte[]> producer) {
    this.topic = topic;
    this.partition = partition;
    this.broker = broker;
    this.producer = producer;
  }

  /** Records that the broker has acknowledged. */
  long acknowledged() {
    return acknowledged.get();
  }

  /**
   * Sends a record.
   *
   * @param place where it comes from, for a message
   * @throws CommandException if this record, or an earlier one, could not be stored
   */
  void send(LineFormat.KeyValue record, String place) {
    requireNoFailure();
    try {
      producer.send(
          new ProducerRecord<>(topic, partition, record.key(), record.value()),
          (metadata, e) -> {
            if (e == null) {
              acknowledged.incrementAndGet();
            } else {
              firstFailure.compareAndSet(null, new Failed(place, e));
            }
          });
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      firstFailure.compareAndSet(null, new Failed(place, e));
    }
  }

  /** Waits until all is acknowledged. */
  void finish() {
    producer.flush();
    requireNoFailure();
  }

  /** Waits for what was sent, and answers the failure that says why nothing more is. */
  CommandException stopped(String why) {
    finish();
    return CommandException.failed(
        "%s; the %,d records before it were sent".formatted(why, acknowledged()));
  }

  private void requireNoFailure() {
    Failed failed = firstFailure.get();
    if (failed != null) {
      producer.flush();
      throw broker.failure(
          "%s could not be sent to %s (%,d records were)"
              .formatted(failed.place(), topic, acknowledged()),
          failed.cause());
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofMillis(broker.timeoutMs()));
  }
}
