package io.tidelog.cli.client;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.Progress;
import io.tidelog.cli.terminal.Streams;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads records and writes each to the output, until it has enough, is at the end, is woken up or
 * nobody reads the output any more. A group's offsets are committed for what was written only.
 */
final class Reading {
  private static final Duration POLL = Duration.ofMillis(200);

  /** What to do where the topic ended when reading began. */
  enum AtEnd {
    STOP,
    WAIT_FOR_MORE
  }

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final BrokerOptions broker;
  private final Streams streams;
  private final RecordFormat format;
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private final Map<TopicPartition, OffsetAndMetadata> written = new HashMap<>();
  private boolean isMember;
  private boolean hasPartitions;

  Reading(
      KafkaConsumer<byte[], byte[]> consumer,
      BrokerOptions broker,
      Streams streams,
      RecordFormat format) {
    this.consumer = consumer;
    this.broker = broker;
    this.streams = streams;
    this.format = format;
  }

  /**
   * Reads on its own.
   *
   * @param partition null for all
   */
  void assign(String topic, Integer partition, StartingPoint start) {
    List<TopicPartition> partitions = partitionsOf(topic, partition);
    consumer.assign(partitions);
    ends.putAll(consumer.endOffsets(partitions));
    hasPartitions = true;
    switch (start.kind()) {
      case BEGINNING -> consumer.seekToBeginning(partitions);
      case END -> consumer.seekToEnd(partitions);
      case OFFSET -> seekToOffset(partitions, start.number());
      case TIME -> seekToTime(partitions, start.number());
    }
  }

  private List<TopicPartition> partitionsOf(String topic, Integer partition) {
    List<PartitionInfo> known;
    try {
      known = consumer.partitionsFor(topic);
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      throw broker.failure(topic + " could not be read", e);
    }
    List<TopicPartition> wanted =
        known.stream()
            .filter(info -> partition == null || info.partition() == partition)
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    if (wanted.isEmpty()) {
      throw CommandException.failed(
          partition == null
              ? "there is no topic " + topic
              : "%s has no partition %d; it has %d".formatted(topic, partition, known.size()));
    }
    return wanted;
  }

  private void seekToOffset(List<TopicPartition> partitions, long offset) {
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
    for (TopicPartition partition : partitions) {
      long first = starts.get(partition);
      long next = ends.get(partition);
      if (offset < first || offset > next) {
        throw CommandException.failed(
            "%s has offsets %d to %d, not %d".formatted(partition, first, next, offset));
      }
      consumer.seek(partition, offset);
    }
  }

  private void seekToTime(List<TopicPartition> partitions, long timeMs) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(p -> times.put(p, timeMs));
    Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
    for (TopicPartition partition : partitions) {
      OffsetAndTimestamp first = found.get(partition);
      if (first == null) {
        consumer.seekToEnd(List.of(partition));
      } else {
        consumer.seek(partition, first.offset());
      }
    }
  }

  /** Reads as a member of the group that the consumer was made for. */
  void join(String topic) {
    isMember = true;
    consumer.subscribe(
        List.of(topic),
        new ConsumerRebalanceListener() {
          @Override
          public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            hasPartitions = true;
            ends.putAll(consumer.endOffsets(partitions));
          }

          @Override
          public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            written.keySet().removeAll(partitions);
          }
        });
  }

  /** Reads and writes until there is a reason to stop. */
  void run(long count, AtEnd atEnd) {
    try (Progress progress = Progress.of(streams, "records")) {
      long left = count;
      long quietSince = System.nanoTime();
      while (left > 0 && !(atEnd == AtEnd.STOP && isAtEnd())) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        left -= write(records, left);
        progress.at(count - left);
        if (!records.isEmpty()) {
          quietSince = System.nanoTime();
        } else if (atEnd == AtEnd.STOP) {
          requireAnswer(quietSince);
        }
        if (streams.out().checkError()) {
          return;
        }
        commit();
      }
    } catch (WakeupException asked) {
      streams.out().flush();
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      throw broker.failure("the topic could not be read on", e);
    }
  }

  private long write(ConsumerRecords<byte[], byte[]> records, long most) {
    long done = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (done == most) {
        break;
      }
      format.write(record);
      written.put(
          new TopicPartition(record.topic(), record.partition()),
          new OffsetAndMetadata(record.offset() + 1));
      done++;
    }
    return done;
  }

  private void commit() {
    if (isMember && !written.isEmpty()) {
      consumer.commitSync(written);
      written.clear();
    }
  }

  private boolean isAtEnd() {
    return hasPartitions
        && consumer.assignment().stream()
            .allMatch(p -> consumer.position(p) >= ends.getOrDefault(p, Long.MAX_VALUE));
  }

  private void requireAnswer(long quietSinceNs) {
    long quietMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - quietSinceNs);
    if (quietMs > broker.timeoutMs()) {
      throw CommandException.unreachable(
          "the broker has sent nothing for %d s, though the end is not reached"
              .formatted(TimeUnit.MILLISECONDS.toSeconds(quietMs)));
    }
  }
}
