package io.tidelog.it.matrix;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.internals.AppInfoParser;

/**
 * Kafka's own command-line tools through their rows, each row named after the script that starts
 * the tool; the arguments are those of JavaRows.
 */
public final class KafkaToolRows {
  private final String bootstrap;
  private final String prefix;
  private final Path folder;

  private KafkaToolRows(String bootstrap, String prefix, Path folder) {
    this.bootstrap = bootstrap;
    this.prefix = prefix;
    this.folder = folder;
  }

  /** Goes through the rows that are asked for. */
  public static void main(String[] args) throws Exception {
    KafkaToolRows tools = new KafkaToolRows(args[0], args[1], Path.of(args[2]).getParent());
    System.out.println("client kafka-tools " + AppInfoParser.getVersion());
    Map<String, JavaRows.Row> rows = tools.rows();
    for (String row : Arrays.copyOfRange(args, 3, args.length)) {
      rows.get(row).pass();
      System.out.println("ok " + row);
    }
    System.exit(0);
  }

  private Map<String, JavaRows.Row> rows() {
    Map<String, JavaRows.Row> rows = new TreeMap<>();
    rows.put("topics", this::topics);
    rows.put("console-producer", this::consoleProducer);
    rows.put("console-consumer", this::consoleConsumer);
    rows.put("configs", this::configs);
    rows.put("get-offsets", this::getOffsets);
    rows.put("consumer-groups", this::consumerGroups);
    rows.put("log-dirs", this::logDirs);
    rows.put("delete-records", this::deleteRecords);
    rows.put("producer-perf-test", this::producerPerformance);
    rows.put("consumer-perf-test", this::consumerPerformance);
    rows.put("verifiable-producer", this::verifiableProducer);
    rows.put("verifiable-consumer", this::verifiableConsumer);
    rows.put("transactions", this::transactions);
    rows.put("broker-api-versions", this::brokerApiVersions);
    rows.put("cluster", this::cluster);
    rows.put("metadata-quorum", this::metadataQuorum);
    rows.put("features", this::features);
    rows.put("leader-election", this::leaderElection);
    rows.put("client-quotas", this::clientQuotas);
    rows.put("groups", this::groups);
    return rows;
  }

  /** A tool with the option that names the broker. */
  private KafkaTool tool(String mainClass, String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--bootstrap-server";
    all[arguments.length + 1] = bootstrap;
    return KafkaTool.of(mainClass, all);
  }

  private String name(String suffix) {
    return prefix + "-" + suffix;
  }

  private void create(String topic, int partitions) throws Exception {
    tool("TopicCommand", "--create", "--topic", topic, "--partitions", "" + partitions).run();
  }

  private static void checkSays(String said, String... parts) {
    for (String part : parts) {
      JavaClient.check(said.contains(part), "it says \"" + part + "\"", said);
    }
  }

  private void topics() throws Exception {
    String topic = name("topics");
    checkSays(
        tool("TopicCommand", "--create", "--topic", topic, "--config", "retention.ms=7200000")
            .run(),
        "Created topic " + topic);
    tool("TopicCommand", "--alter", "--topic", topic, "--partitions", "3").run();
    checkSays(
        tool("TopicCommand", "--describe", "--topic", topic).run(),
        "PartitionCount: 3",
        "ReplicationFactor: 1",
        "retention.ms=7200000",
        "Partition: 2\tLeader: 1\tReplicas: 1\tIsr: 1");
    checkSays(tool("TopicCommand", "--list").run(), topic);
    tool("TopicCommand", "--delete", "--topic", topic).run();
    String left = tool("TopicCommand", "--list").run();
    JavaClient.check(left.lines().noneMatch(topic::equals), "the topic is gone", left);
  }

  private void consoleProducer() throws Exception {
    create(name("console"), 1);
    String lines =
        IntStream.range(0, 20)
            .mapToObj(i -> "number:" + i + "\tkey " + i + "\tvalue " + i + "\n")
            .collect(Collectors.joining());
    tool(
            "ConsoleProducer",
            "--topic",
            name("console"),
            "--compression-codec",
            "zstd",
            "--reader-property",
            "parse.key=true",
            "--reader-property",
            "parse.headers=true")
        .reading(lines)
        .run();
  }

  private void consoleConsumer() throws Exception {
    String said =
        tool(
                "consumer.ConsoleConsumer",
                "--topic",
                name("console"),
                "--group",
                name("console"),
                "--from-beginning",
                "--max-messages",
                "20",
                "--formatter-property",
                "print.key=true",
                "--formatter-property",
                "print.headers=true",
                "--formatter-property",
                "print.offset=true")
            .run();
    List<String> expected =
        IntStream.range(0, 20)
            .mapToObj(i -> "Offset:" + i + "\tnumber:" + i + "\tkey " + i + "\tvalue " + i)
            .toList();
    JavaClient.checkEqual(said.lines().toList(), expected);
  }

  private void configs() throws Exception {
    String[] entity = {"--entity-type", "topics", "--entity-name", name("console")};
    configTool(entity, "--alter", "--add-config", "max.message.bytes=2000000,segment.ms=86400000");
    checkSays(configTool(entity, "--describe"), "max.message.bytes=2000000", "segment.ms=86400000");
    configTool(entity, "--alter", "--delete-config", "segment.ms");
    String left = configTool(entity, "--describe");
    JavaClient.check(!left.contains("segment.ms"), "the config is gone", left);
    String[] broker = {"--entity-type", "brokers", "--entity-name", "1"};
    checkSays(configTool(broker, "--describe", "--all"), "log.segment.bytes=1073741824");
  }

  private String configTool(String[] entity, String... arguments) throws Exception {
    String[] all = Arrays.copyOf(arguments, arguments.length + entity.length);
    System.arraycopy(entity, 0, all, arguments.length, entity.length);
    return tool("ConfigCommand", all).run();
  }

  private void getOffsets() throws Exception {
    String topic = name("console");
    JavaClient.checkEqual(tool("GetOffsetShell", "--topic", topic).run(), topic + ":0:20\n");
    JavaClient.checkEqual(
        tool("GetOffsetShell", "--topic", topic, "--time", "earliest").run(), topic + ":0:0\n");
  }

  /** Of the group of the console consumer. */
  private void consumerGroups() throws Exception {
    String group = name("console");
    String command = "consumer.group.ConsumerGroupCommand";
    checkSays(tool(command, "--list").run(), group);
    String row = tool(command, "--describe", "--group", group).run();
    checkMatches(row, group + " +" + name("console") + " +0 +20 +20 +0 ");
    tool(
            command,
            "--group",
            group,
            "--topic",
            name("console"),
            "--reset-offsets",
            "--to-offset",
            "5",
            "--execute")
        .run();
    row = tool(command, "--describe", "--group", group).run();
    checkMatches(row, group + " +" + name("console") + " +0 +5 +20 +15 ");
    checkMatches(
        tool(command, "--describe", "--group", group, "--state").run(), group + " .*Empty +0");
    tool(command, "--delete", "--group", group).run();
    String left = tool(command, "--list").run();
    JavaClient.check(left.lines().noneMatch(group::equals), "the group is gone", left);
  }

  private static void checkMatches(String said, String regex) {
    JavaClient.check(
        said.lines().anyMatch(line -> (line + " ").matches(".*" + regex + ".*")), regex, said);
  }

  private void logDirs() throws Exception {
    checkSays(
        tool("LogDirsCommand", "--describe", "--topic-list", name("console")).run(),
        "\"partition\":\"" + name("console") + "-0\"",
        "\"offsetLag\":0",
        "\"error\":null");
  }

  private void deleteRecords() throws Exception {
    Path wanted = folder.resolve(prefix + ".json");
    Files.writeString(
        wanted,
        "{\"version\":1,\"partitions\":[{\"topic\":\"%s\",\"partition\":0,\"offset\":7}]}"
            .formatted(name("console")));
    checkSays(
        tool("DeleteRecordsCommand", "--offset-json-file", wanted.toString()).run(),
        "low_watermark: 7");
    JavaClient.checkEqual(
        tool("GetOffsetShell", "--topic", name("console"), "--time", "earliest").run(),
        name("console") + ":0:7\n");
  }

  private void producerPerformance() throws Exception {
    create(name("perf"), 2);
    checkSays(
        tool(
                "ProducerPerformance",
                "--topic",
                name("perf"),
                "--num-records",
                "5000",
                "--record-size",
                "200",
                "--throughput",
                "-1",
                "--command-property",
                "compression.type=lz4")
            .run(),
        "5000 records sent");
  }

  private void consumerPerformance() throws Exception {
    String said =
        tool("ConsumerPerformance", "--topic", name("perf"), "--num-records", "5000").run();
    JavaClient.check(
        said.lines().anyMatch(line -> line.contains(", 5000, ")), "5000 records are read", said);
  }

  private void verifiableProducer() throws Exception {
    create(name("verifiable"), 1);
    checkSays(
        tool("VerifiableProducer", "--topic", name("verifiable"), "--max-messages", "100")
            .runApart(),
        "\"sent\":100,\"acked\":100,");
  }

  private void verifiableConsumer() throws Exception {
    String said =
        tool(
                "VerifiableConsumer",
                "--topic",
                name("verifiable"),
                "--group-id",
                name("verifiable"),
                "--max-messages",
                "100",
                "--verbose")
            .run();
    List<String> values =
        said.lines()
            .filter(line -> line.contains("\"record_data\""))
            .map(line -> line.replaceAll(".*\"value\":\"([0-9]+)\".*", "$1"))
            .toList();
    JavaClient.checkEqual(values, IntStream.range(0, 100).mapToObj(i -> "" + i).toList());
    checkSays(said, "\"name\":\"offsets_committed\"", "\"offset\":100");
  }

  private void transactions() throws Exception {
    String topic = name("transactions");
    create(topic, 1);
    tool(
            "ProducerPerformance",
            "--topic",
            topic,
            "--num-records",
            "500",
            "--record-size",
            "50",
            "--throughput",
            "-1",
            "--transactional-id",
            topic,
            "--transaction-duration-ms",
            "50")
        .run();
    checkMatches(transactionsTool("list"), topic + "\\s.*\\sCompleteCommit\\s");
    checkMatches(
        transactionsTool("describe", "--transactional-id", topic),
        "1\\s+" + topic + "\\s.*\\sCompleteCommit\\s");
    checkMatches(
        transactionsTool("describe-producers", "--topic", topic, "--partition", "0"),
        "[0-9]+\\s+[0-9]+\\s+[0-9]+\\s+-?[0-9]+\\s+[0-9]+\\s+None.*");
    String hanging = transactionsTool("find-hanging", "--broker-id", "1");
    JavaClient.check(!hanging.contains(topic), "no transaction hangs", hanging);
  }

  private String transactionsTool(String... arguments) throws Exception {
    return tool("TransactionsCommand").followedBy(arguments).run();
  }

  private void brokerApiVersions() throws Exception {
    checkSays(
        tool("BrokerApiVersionsCommand").run(),
        bootstrap + " (id: 1 rack: null isFenced: false) -> (",
        "Produce(0): 0 to 13");
  }

  private void cluster() throws Exception {
    checkMatches(tool("ClusterTool", "cluster-id").run(), "Cluster ID: [-_0-9A-Za-z]{22}");
  }

  private void metadataQuorum() throws Exception {
    checkMatches(
        tool("MetadataQuorumCommand").followedBy("describe", "--status").run(), "LeaderId: +1");
  }

  private void features() throws Exception {
    checkSays(
        tool("FeatureCommand").followedBy("describe").run(),
        "Feature: metadata.version",
        "Feature: transaction.version");
  }

  private void leaderElection() throws Exception {
    tool("LeaderElectionCommand", "--election-type", "preferred", "--all-topic-partitions").run();
  }

  /** They are kept; what they limit is not limited yet. */
  private void clientQuotas() throws Exception {
    String[] entity = {"--entity-type", "clients", "--entity-name", name("client")};
    configTool(entity, "--alter", "--add-config", "producer_byte_rate=1048576");
    checkSays(configTool(entity, "--describe"), "producer_byte_rate=1048576");
    configTool(entity, "--alter", "--delete-config", "producer_byte_rate");
    String left = configTool(entity, "--describe");
    JavaClient.check(!left.contains("producer_byte_rate"), "the quota is gone", left);
  }

  private void groups() throws Exception {
    checkMatches(
        tool("GroupsCommand", "--list").run(), name("verifiable") + "\\s+Classic\\s+consumer");
  }
}
