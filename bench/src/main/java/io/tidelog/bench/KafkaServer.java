package io.tidelog.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Apache Kafka as its own scripts start it: one node that is broker and controller, with their heap
 * and collector.
 *
 * @param java the Java to run it with
 * @param classPath Kafka and all that it needs
 */
record KafkaServer(Path java, String classPath) implements Server {
  private static final String CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk";
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx1G",
          "-Xms1G",
          "-server",
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:+ExplicitGCInvokesConcurrent",
          "-XX:MaxInlineLevel=15",
          "-Djava.awt.headless=true");

  @Override
  public String name() {
    return "Apache Kafka 4.4.0";
  }

  @Override
  public void prepare(Path directory, int port) throws IOException, InterruptedException {
    int controllerPort = Ports.free();
    Files.writeString(
        settings(directory),
        String.join(
            "\n",
            "process.roles=broker,controller",
            "node.id=1",
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
            "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
            "controller.listener.names=CONTROLLER",
            "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
            "log.dirs=" + directory.resolve("data"),
            "offsets.topic.replication.factor=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            ""));
    Process format =
        program(
                List.of(),
                "kafka.tools.StorageTool",
                "format",
                "--cluster-id",
                CLUSTER_ID,
                "--config",
                settings(directory).toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("format.log").toFile())
            .start();
    if (format.waitFor() != 0) {
      throw new IOException(
          "Kafka's directory could not be formatted:\n"
              + Files.readString(directory.resolve("format.log")));
    }
  }

  @Override
  public ProcessBuilder command(Path directory, int port) {
    return program(JVM_OPTIONS, "kafka.Kafka", settings(directory).toString());
  }

  private ProcessBuilder program(List<String> jvmOptions, String... mainAndArguments) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath));
    command.addAll(List.of(mainAndArguments));
    return new ProcessBuilder(command);
  }

  private static Path settings(Path directory) {
    return directory.resolve("server.properties");
  }
}
