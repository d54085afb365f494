package io.tidelog.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Apache Kafka as one node that is broker and controller: its settings, and the commands that
 * format its directory and run it. Starts nothing and writes nothing itself.
 *
 * @param java the program to run it with
 * @param classPath Kafka and all that it needs
 * @param settings its {@code server.properties}, by name
 */
public record KafkaNode(Path java, String classPath, Map<String, String> settings) {
  private static final String CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk";

  public KafkaNode {
    settings = Map.copyOf(settings);
  }

  /** Node 1 on loopback. Both ports must be free when it is run. */
  public static KafkaNode on(
      Path java, String classPath, Path dataDirectory, int port, int controllerPort) {
    String address = "PLAINTEXT://127.0.0.1:" + port;
    String controller = "127.0.0.1:" + controllerPort;
    return new KafkaNode(
        java,
        classPath,
        Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "listeners", address + ",CONTROLLER://" + controller,
            "advertised.listeners", address,
            "controller.listener.names", "CONTROLLER",
            "controller.quorum.voters", "1@" + controller,
            "log.dirs", dataDirectory.toString(),
            "offsets.topic.replication.factor", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1"));
  }

  /** The same node with other settings over these. */
  public KafkaNode with(Map<String, String> others) {
    Map<String, String> all = new TreeMap<>(settings);
    all.putAll(others);
    return new KafkaNode(java, classPath, all);
  }

  /** What its {@code server.properties} is to hold. */
  public String properties() {
    StringBuilder lines = new StringBuilder();
    new TreeMap<>(settings)
        .forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    return lines.toString();
  }

  /** The command that formats its data directory. */
  public ProcessBuilder format(Path properties, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "kafka.tools.StorageTool",
                "format",
                "--cluster-id",
                CLUSTER_ID,
                "--config",
                properties.toString()));
    arguments.addAll(List.of(options));
    return program(List.of(), arguments);
  }

  /** The command that runs it until SIGTERM. */
  public ProcessBuilder run(Path properties, List<String> jvmOptions) {
    return program(jvmOptions, List.of("kafka.Kafka", properties.toString()));
  }

  private ProcessBuilder program(List<String> jvmOptions, List<String> mainAndArguments) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath));
    command.addAll(mainAndArguments);
    return new ProcessBuilder(command);
  }
}
