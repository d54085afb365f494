package io.tidelog.cli.client;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Progress;
import io.tidelog.cli.terminal.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidelog produce}: sends lines as records. */
@Command(
    name = "produce",
    description = {
      "Send lines as records: each line, without its line feed and otherwise byte for byte, is the"
          + " value of a record.",
      ""
    })
public final class ProduceCommand implements Callable<Integer> {
  static final int MAX_LINE_BYTES = 16 << 20;
  private static final long BUFFER_BYTES = 48L << 20;
  private static final int OVERHEAD_BYTES = 64 * 1024;
  private static final Path STANDARD_INPUT = Path.of("-");

  private final Streams streams;

  @Parameters(index = "0", paramLabel = "TOPIC", description = "Where to send the records.")
  private String topic;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files with lines; - is standard input (default: -).")
  private List<Path> files = List.of(STANDARD_INPUT);

  @Option(
      names = "--key-separator",
      paramLabel = "TEXT",
      description = "A line is a key, this text, and a value; for example ':'.")
  private String keySeparator;

  @Option(names = "--null", paramLabel = "TEXT", description = "This key or value is sent as null.")
  private String nullText;

  @Option(
      names = "--partition",
      paramLabel = "N",
      description = "Send to this partition (default: by key, or spread over all).")
  private Integer partition;

  @Option(
      names = "--compression",
      paramLabel = "CODEC",
      defaultValue = "none",
      description = "none, gzip, snappy, lz4 or zstd (default: ${DEFAULT-VALUE}).")
  private String compression;

  @Option(
      names = "--acks",
      paramLabel = "0|1|all",
      defaultValue = "all",
      description = "What counts as sent (default: ${DEFAULT-VALUE}).")
  private String acks;

  @Mixin private BrokerOptions broker;

  public ProduceCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    check();
    try (Sending sending = new Sending(topic, partition, broker, producer());
        Progress progress = Progress.of(streams, "records")) {
      for (Path file : files) {
        send(file, sending, progress);
      }
      sending.finish();
    }
    return ExitCode.OK;
  }

  private void check() {
    if (!List.of("none", "gzip", "snappy", "lz4", "zstd").contains(compression)) {
      throw CommandException.usage(
          "--compression is \"" + compression + "\", expected none, gzip, snappy, lz4 or zstd");
    }
    if (!List.of("0", "1", "all", "-1").contains(acks)) {
      throw CommandException.usage("--acks is \"" + acks + "\", expected 0, 1 or all");
    }
    if (partition != null && partition < 0) {
      throw CommandException.usage("--partition is " + partition + ", expected 0 or more");
    }
    if (keySeparator != null && keySeparator.isEmpty()) {
      throw CommandException.usage("--key-separator is empty");
    }
    for (Path file : files) {
      if (!file.equals(STANDARD_INPUT) && !Files.isReadable(file)) {
        throw unreadable(file, new NoSuchFileException(file.toString()));
      }
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    settings.put(ProducerConfig.ACKS_CONFIG, acks);
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, acks.equals("all") || acks.equals("-1"));
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_LINE_BYTES + OVERHEAD_BYTES);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, broker.timeoutMs());
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) (2 * broker.timeoutMs()));
    return new KafkaProducer<>(broker.settings(settings));
  }

  private void send(Path file, Sending sending, Progress progress) {
    LineFormat format = LineFormat.of(keySeparator, nullText);
    String name = file.equals(STANDARD_INPUT) ? "standard input" : file.toString();
    try (InputStream in = file.equals(STANDARD_INPUT) ? streams.in() : Files.newInputStream(file)) {
      Lines lines = new Lines(in, MAX_LINE_BYTES);
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        String place = name + " line " + lines.number();
        sending.send(
            format
                .parse(line)
                .orElseThrow(
                    () ->
                        sending.stopped(
                            "%s has no \"%s\" between key and value"
                                .formatted(place, keySeparator))),
            place);
        progress.at(sending.acknowledged());
      }
    } catch (Lines.TooLongException tooLong) {
      throw sending.stopped(name + " " + tooLong.getMessage());
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static CommandException unreadable(Path file, IOException e) {
    return CommandException.unreachable(
        e instanceof NoSuchFileException
            ? file + " does not exist or may not be read"
            : file + " cannot be read: " + e.getMessage());
  }
}
