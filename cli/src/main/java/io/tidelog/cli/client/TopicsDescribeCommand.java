package io.tidelog.cli.client;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.JsonRows;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.cli.terminal.TextRows;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidelog topics describe}. */
@Command(
    name = "describe",
    description = "Show partitions, their first and next offsets, and the settings that were made.")
public final class TopicsDescribeCommand implements Callable<Integer> {
  private static final String WHAT = "topics could not be described";

  private final Streams streams;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "The topics (default: all).")
  private List<String> names;

  @Option(names = "--json", description = "One JSON object per line.")
  private boolean json;

  @Mixin private BrokerOptions broker;

  public TopicsDescribeCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    Rows rows = json ? new JsonRows(streams.out()) : new TextRows(streams.out());
    try (TopicAdmin admin = TopicAdmin.open(broker)) {
      Collection<String> wanted =
          names == null ? admin.await(WHAT, admin.admin().listTopics().names()) : names;
      for (String name : new TreeSet<>(wanted)) {
        describe(admin, name, rows);
      }
    }
    return ExitCode.OK;
  }

  private static void describe(TopicAdmin admin, String name, Rows rows) {
    TopicDescription topic =
        admin.await(
            name + " could not be described",
            admin.admin().describeTopics(List.of(name)).topicNameValues().get(name));
    rows.row(
        Row.of("topic")
            .with("name", name)
            .with("topicId", topic.topicId().toString())
            .with("partitions", topic.partitions().size())
            .with("internal", topic.isInternal()));
    Map<TopicPartition, Long> first = offsets(admin, topic, OffsetSpec::earliest);
    Map<TopicPartition, Long> next = offsets(admin, topic, OffsetSpec::latest);
    for (TopicPartitionInfo info : topic.partitions()) {
      TopicPartition partition = new TopicPartition(name, info.partition());
      Node leader = info.leader();
      Row row =
          Row.under("partition")
              .with("topic", name)
              .with("partition", info.partition())
              .with("leader", leader == null ? "none" : leader.id());
      rows.row(
          row.with("firstOffset", first.get(partition)).with("nextOffset", next.get(partition)));
    }
    for (ConfigEntry entry : settings(admin, name)) {
      rows.row(
          Row.under("setting")
              .with("topic", name)
              .with("name", entry.name())
              .with("value", entry.value()));
    }
  }

  private static Map<TopicPartition, Long> offsets(
      TopicAdmin admin, TopicDescription topic, Supplier<OffsetSpec> which) {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    topic
        .partitions()
        .forEach(
            info -> wanted.put(new TopicPartition(topic.name(), info.partition()), which.get()));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        admin.await(WHAT, admin.admin().listOffsets(wanted).all());
    return found.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().offset()));
  }

  private static List<ConfigEntry> settings(TopicAdmin admin, String name) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
    return admin
        .await(WHAT, admin.admin().describeConfigs(List.of(resource)).values().get(resource))
        .entries()
        .stream()
        .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
        .toList();
  }
}
