package io.tidelog.cli.client;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.StopRequest;
import io.tidelog.cli.terminal.Streams;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidelog consume}: shows records as lines. */
@Command(
    name = "consume",
    description = {
      "Show the records of a topic as they come, one per line, until interrupted.",
      ""
    })
public final class ConsumeCommand implements Callable<Integer> {
  private final Streams streams;
  private final StopRequest stop;

  @Parameters(paramLabel = "TOPIC", description = "What to read.")
  private String topic;

  @Option(
      names = "--from",
      paramLabel = "WHERE",
      defaultValue = "beginning",
      description = {
        "beginning, end, an offset, or a time such as 2024-05-31T12:00:00 (default:"
            + " ${DEFAULT-VALUE}). With --group it counts where the group has no offset yet, and is"
            + " beginning or end."
      })
  private String from;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "Read as a member of this consumer group, which remembers how far it is.")
  private String group;

  @Option(names = "--partition", paramLabel = "N", description = "Read this partition only.")
  private Integer partition;

  @Option(names = "--count", paramLabel = "N", description = "Stop after so many records.")
  private Long count;

  @Option(
      names = "--exit-at-end",
      description = "Stop at the end that the topic has when reading begins.")
  private boolean exitAtEnd;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "value",
      description = {
        "value: the bytes of the value; key-value: key, separator and value; text or json: all that"
            + " is known of the record (default: ${DEFAULT-VALUE})."
      })
  private String format;

  @Option(
      names = "--key-separator",
      paramLabel = "TEXT",
      defaultValue = ":",
      description = "Stands between key and value (default: '${DEFAULT-VALUE}').")
  private String keySeparator;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Shown for a null key or value (default: nothing).")
  private String nullText;

  @Mixin private BrokerOptions broker;

  public ConsumeCommand(Streams streams, StopRequest stop) {
    this.streams = streams;
    this.stop = stop;
  }

  @Override
  public Integer call() {
    StartingPoint start = check();
    RecordFormat recordFormat = recordFormat();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(start)) {
      stop.whenAsked(consumer::wakeup);
      Reading reading = new Reading(consumer, broker, streams, recordFormat);
      if (group == null) {
        reading.assign(topic, partition, start);
      } else {
        reading.join(topic);
      }
      reading.run(
          count == null ? Long.MAX_VALUE : count,
          exitAtEnd ? Reading.AtEnd.STOP : Reading.AtEnd.WAIT_FOR_MORE);
    }
    return ExitCode.OK;
  }

  private StartingPoint check() {
    if (count != null && count < 0) {
      throw CommandException.usage("--count is " + count + ", expected 0 or more");
    }
    StartingPoint start;
    try {
      start = StartingPoint.parse(from, ZoneId.systemDefault());
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("--from " + e.getMessage());
    }
    if (group != null && partition != null) {
      throw CommandException.usage(
          "--partition and --group exclude each other: a group hands out partitions by itself");
    }
    if (group != null
        && start.kind() != StartingPoint.Kind.BEGINNING
        && start.kind() != StartingPoint.Kind.END) {
      throw CommandException.usage("--from with --group is beginning or end");
    }
    return start;
  }

  private RecordFormat recordFormat() {
    LineFormat line = LineFormat.of(null, nullText);
    return switch (format) {
      case "value" -> RecordFormat.value(streams.out(), line);
      case "key-value" ->
          RecordFormat.keyValue(streams.out(), line, keySeparator.getBytes(StandardCharsets.UTF_8));
      case "text" -> RecordFormat.text(streams.out());
      case "json" -> RecordFormat.json(streams.out());
      default ->
          throw CommandException.usage(
              "--format is \"" + format + "\", expected value, key-value, text or json");
    };
  }

  private KafkaConsumer<byte[], byte[]> consumer(StartingPoint start) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        switch (start.kind()) {
          case BEGINNING, TIME -> "earliest";
          case END -> "latest";
          case OFFSET -> "none";
        });
    if (group != null) {
      settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    }
    return new KafkaConsumer<>(broker.settings(settings));
  }
}
