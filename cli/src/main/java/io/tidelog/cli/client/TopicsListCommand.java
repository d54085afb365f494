package io.tidelog.cli.client;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.JsonRows;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicListing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidelog topics list}. */
@Command(name = "list", description = "Show the names of all topics, one per line.")
public final class TopicsListCommand implements Callable<Integer> {
  private final Streams streams;

  @Option(names = "--internal", description = "Also those that the broker keeps for itself.")
  private boolean internal;

  @Option(names = "--json", description = "One JSON object per line.")
  private boolean json;

  @Mixin private BrokerOptions broker;

  public TopicsListCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    Rows rows = json ? new JsonRows(streams.out()) : this::showName;
    for (TopicListing topic : topics()) {
      rows.row(
          Row.of("topic")
              .with("name", topic.name())
              .with("topicId", topic.topicId().toString())
              .with("internal", topic.isInternal()));
    }
    return ExitCode.OK;
  }

  private void showName(Row topic) {
    streams.out().println(topic.fields().get("name"));
  }

  private List<TopicListing> topics() {
    try (TopicAdmin admin = TopicAdmin.open(broker)) {
      return admin
          .await(
              "topics could not be listed",
              admin.admin().listTopics(new ListTopicsOptions().listInternal(internal)).listings())
          .stream()
          .sorted(Comparator.comparing(TopicListing::name))
          .toList();
    }
  }
}
