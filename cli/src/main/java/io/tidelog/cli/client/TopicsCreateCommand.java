package io.tidelog.cli.client;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Streams;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidelog topics create}. */
@Command(name = "create", description = "Create a topic. When this returns, it can be used.")
public final class TopicsCreateCommand implements Callable<Integer> {
  private final Streams streams;

  @Parameters(paramLabel = "NAME", description = "The topic.")
  private String name;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "How many partitions (default: the broker's num.partitions).")
  private Integer partitions;

  @Option(
      names = "--config",
      paramLabel = "NAME=VALUE",
      description = "A setting of the topic, such as retention.ms=3600000. May be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Mixin private BrokerOptions broker;

  public TopicsCreateCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    try (TopicAdmin admin = TopicAdmin.open(broker)) {
      CreateTopicsResult result =
          admin
              .admin()
              .createTopics(
                  List.of(
                      new NewTopic(name, Optional.ofNullable(partitions), Optional.empty())
                          .configs(settings)));
      int created =
          admin.await(name + " could not be created", result.numPartitions(name)).intValue();
      streams.out().println("Created " + name + ", partitions: " + created);
    }
    return ExitCode.OK;
  }
}
