package io.tidelog.it.matrix;

import java.util.Arrays;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;

/**
 * Kafka Streams' word count with exactly_once_v2, as a program: each word that comes is answered
 * with how often it has come so far. Arguments: the broker, a folder for state, and the protocol by
 * which its threads share the work (classic or streams). It runs until it is killed.
 */
public final class WordCount {
  static final String APPLICATION = "word-count";
  static final String LINES = "word-count-lines";
  static final String COUNTS = "word-count-counts";

  private WordCount() {}

  /** Counts until the process ends. */
  public static void main(String[] args) throws InterruptedException {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(LINES, Consumed.with(Serdes.String(), Serdes.String()))
        .flatMapValues(line -> Arrays.asList(line.split(" ")))
        .groupBy((key, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
        .count(Materialized.as(Stores.persistentKeyValueStore("counts")))
        .toStream()
        .to(COUNTS, Produced.with(Serdes.String(), Serdes.Long()));
    try (KafkaStreams streams = new KafkaStreams(builder.build(), settings(args))) {
      streams.start();
      new CountDownLatch(1).await();
    }
  }

  private static Properties settings(String... args) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, args[1]);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.String().getClass());
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    // Without a cache every count goes out, so that a reader sees each word counted one by one.
    settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    settings.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, args[2]);
    if (args[2].equals("classic")) {
      settings.put(StreamsConfig.mainConsumerPrefix("session.timeout.ms"), 2_000);
      settings.put(StreamsConfig.mainConsumerPrefix("heartbeat.interval.ms"), 300);
    }
    return settings;
  }
}
