package io.tidelog.it.matrix;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** A member of a group, on a thread of its own; it commits what it has read after each poll. */
final class JavaMember {
  private final KafkaConsumer<String, String> consumer;
  private final String topic;
  private final List<String> values = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "member");
  private volatile int owned;
  private volatile boolean leaving;
  private volatile Throwable failure;

  private JavaMember(KafkaConsumer<String, String> consumer, String topic) {
    this.consumer = consumer;
    this.topic = topic;
  }

  static JavaMember join(KafkaConsumer<String, String> consumer, String topic) {
    JavaMember member = new JavaMember(consumer, topic);
    member.thread.setDaemon(true);
    member.thread.start();
    return member;
  }

  private void run() {
    try (consumer) {
      consumer.subscribe(List.of(topic), new Assignments());
      while (!leaving) {
        ConsumerRecords<String, String> records = JavaClient.poll(consumer);
        for (ConsumerRecord<String, String> record : records) {
          values.add(record.value());
        }
        if (!records.isEmpty()) {
          consumer.commitSync();
        }
        owned = consumer.assignment().size();
      }
    } catch (WakeupException e) {
      JavaClient.check(leaving, "woken to leave", e);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  /** How many partitions it has. */
  int owned() {
    checkHealth();
    return owned;
  }

  /** What it has read. */
  List<String> values() {
    checkHealth();
    return values;
  }

  void leave() throws InterruptedException {
    leaving = true;
    thread.join();
    checkHealth();
  }

  private void checkHealth() {
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  /** Tells at once that partitions are lost: the poll that lost them may wait for the others. */
  private final class Assignments implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      owned = 0;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      owned = consumer.assignment().size();
    }
  }
}
