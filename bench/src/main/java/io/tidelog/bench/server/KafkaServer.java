package io.tidelog.bench.server;

import io.tidelog.testkit.KafkaNode;
import io.tidelog.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Apache Kafka as its own scripts start it: one node that is broker and controller, with their heap
 * and collector.
 *
 * @param java the Java to run it with
 * @param classPath Kafka and all that it needs
 */
public record KafkaServer(Path java, String classPath) implements Server {
  /** The settings that were prepared name it. */
  private static final int ANY_PORT = 0;

  private static final List<String> JVM_OPTIONS = KafkaJvm.options("-Xmx1G", "-Xms1G");

  @Override
  public String name() {
    return "Apache Kafka 4.4.0";
  }

  @Override
  public void prepare(Path directory, int port) throws IOException, InterruptedException {
    KafkaNode node = KafkaNode.on(java, classPath, directory.resolve("data"), port, Ports.free());
    Files.writeString(settings(directory), node.properties());
    Path output = directory.resolve("format.log");
    Process format =
        node.format(settings(directory))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (format.waitFor() != 0) {
      throw new IOException(
          "Kafka's directory could not be formatted:\n" + Files.readString(output));
    }
  }

  @Override
  public ProcessBuilder command(Path directory, int port) {
    return KafkaNode.on(java, classPath, directory.resolve("data"), port, ANY_PORT)
        .run(settings(directory), JVM_OPTIONS);
  }

  @Override
  public Map<String, String> durableTopic() {
    return Map.of("flush.messages", "1");
  }

  @Override
  public Map<String, String> headerTopic() {
    return Map.of(); // it reads every record
  }

  private static Path settings(Path directory) {
    return directory.resolve("server.properties");
  }
}
