package io.tidelog.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import io.tidelog.cli.CommandRun;
import io.tidelog.cli.RunningCommand;
import io.tidelog.cli.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ClientCommandsTest {
  @TempDir static Path data;
  private static Broker broker;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    broker =
        Broker.start(BrokerSettings.embedded(data).with("group.initial.rebalance.delay.ms", "0"));
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  private static String[] withBootstrap(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--bootstrap");
    all.add("127.0.0.1:" + broker.port());
    return all.toArray(String[]::new);
  }

  private static CommandRun run(String... args) {
    return CommandRun.of(withBootstrap(args));
  }

  private static CommandRun runOk(String... args) {
    CommandRun run = run(args);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    return run;
  }

  private static void produce(String topic, String lines, String... more) {
    List<String> args = new ArrayList<>(List.of("produce", topic));
    args.addAll(List.of(more));
    CommandRun run =
        CommandRun.withInput(
            lines.getBytes(StandardCharsets.UTF_8), withBootstrap(args.toArray(String[]::new)));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  /** Lines of any bytes but line feeds: empty ones, long ones, invalid UTF-8, carriage returns. */
  private static byte[] anyLines(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (int i = 0; i < 2_000; i++) {
      byte[] line =
          new byte[random.nextInt(100) == 0 ? random.nextInt(300_000) : random.nextInt(80)];
      random.nextBytes(line);
      for (int j = 0; j < line.length; j++) {
        line[j] = line[j] == '\n' ? (byte) '\r' : line[j];
      }
      lines.writeBytes(line);
      lines.write('\n');
    }
    return lines.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
  void lines_of_any_bytes_come_back_as_they_went_in(String codec) throws Exception {
    byte[] lines = anyLines(codec.hashCode());
    Path file = Files.write(directory.resolve("lines"), lines);

    runOk("produce", "bytes-" + codec, file.toString(), "--compression", codec);
    CommandRun consumed = runOk("consume", "bytes-" + codec, "--exit-at-end");

    assertThat(consumed.outBytes()).as("seed %d", codec.hashCode()).isEqualTo(lines);
  }

  @Test
  void a_last_line_without_line_feed_is_a_record_too() {
    produce("last-line", "one\n\ntwo");

    assertThat(runOk("consume", "last-line", "--exit-at-end").out()).isEqualTo("one\n\ntwo\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "all"})
  void records_arrive_with_every_kind_of_acknowledgement(String acks) {
    produce("acks-" + acks, "a\nb\n", "--acks", acks);

    assertThat(runOk("consume", "acks-" + acks, "--count", "2").out()).isEqualTo("a\nb\n");
  }

  @Test
  void keys_and_nulls_are_told_apart_by_what_the_user_chose() {
    produce("keys", "k1=>v=>1\nNULL=>x\nk3=>NULL\n", "--key-separator", "=>", "--null", "NULL");

    assertThat(
            runOk("consume", "keys", "--exit-at-end", "--format", "key-value", "--null", "-").out())
        .isEqualTo("k1:v=>1\n-:x\nk3:-\n");
    assertThat(runOk("consume", "keys", "--exit-at-end", "--format", "json").lines().get(1))
        .matches(
            "\\{\"kind\":\"record\",\"topic\":\"keys\",\"partition\":0,\"offset\":1,"
                + "\"timestamp\":[0-9]+,\"key\":null,\"value\":\"x\"}");
  }

  @Test
  void a_line_without_separator_is_named_and_the_ones_before_it_are_sent() {
    CommandRun run =
        CommandRun.withInput(
            "a:1\nb\nc:3\n".getBytes(StandardCharsets.UTF_8),
            withBootstrap("produce", "unkeyed", "--key-separator", ":"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "tidelog produce: standard input line 2 has no \":\" between key and value; the 1"
                + " records before it were sent\n");
    assertThat(runOk("consume", "unkeyed", "--exit-at-end").out()).isEqualTo("1\n");
  }

  @Test
  void a_record_that_the_broker_refuses_is_named_by_its_line() throws Exception {
    Path file = directory.resolve("large");
    Files.writeString(file, "small\n" + "x".repeat(2_000_000) + "\n");

    CommandRun run = run("produce", "large", file.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(file + " line 2 could not be sent to large (1 records were)");
  }

  @Test
  void reading_starts_where_it_is_told_to() throws Exception {
    produce("from", "0\n1\n2\n");
    long afterMs = System.currentTimeMillis() + 1;
    while (System.currentTimeMillis() < afterMs) {
      Thread.onSpinWait();
    }
    produce("from", "3\n4\n");
    String time = java.time.Instant.ofEpochMilli(afterMs).toString();

    assertThat(runOk("consume", "from", "--exit-at-end", "--from", "2").out())
        .isEqualTo("2\n3\n4\n");
    assertThat(runOk("consume", "from", "--exit-at-end", "--from", time).out()).isEqualTo("3\n4\n");
    assertThat(runOk("consume", "from", "--exit-at-end", "--from", "end").out()).isEmpty();
    assertThat(runOk("consume", "from", "--exit-at-end", "--from", "5").out()).isEmpty();
    assertThat(runOk("consume", "from", "--count", "1", "--from", "beginning").out())
        .isEqualTo("0\n");

    CommandRun outside = run("consume", "from", "--exit-at-end", "--from", "6");
    assertThat(outside.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(outside.err()).contains("from-0 has offsets 0 to 5, not 6");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void a_group_goes_on_after_the_last_record_that_was_shown(String protocol) {
    String topic = "group-" + protocol;
    produce(topic, "a\nb\nc\n");
    String[] args = {"consume", topic, "--group", topic, "--client", "group.protocol=" + protocol};

    assertThat(runOk(with(args, "--count", "2")).out()).isEqualTo("a\nb\n");
    assertThat(runOk(with(args, "--exit-at-end")).out()).isEqualTo("c\n");
    assertThat(runOk(with(args, "--exit-at-end")).out()).isEmpty();
  }

  private static String[] with(String[] args, String... more) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void new_records_are_shown_as_they_come_until_it_is_stopped() throws Exception {
    produce("follow", "first\n");
    try (RunningCommand consume =
        RunningCommand.start(withBootstrap("consume", "follow", "--format", "key-value"))) {
      assertThat(consume.nextLine()).isEqualTo(":first");
      produce("follow", "k:second\n", "--key-separator", ":");
      assertThat(consume.nextLine()).isEqualTo("k:second");

      consume.stop();
      assertThat(consume.exitCode()).isEqualTo(ExitCode.OK);
    }
  }

  @Test
  void topics_are_created_described_listed_and_deleted() {
    assertThat(
            runOk(
                    "topics",
                    "create",
                    "orders",
                    "--partitions",
                    "3",
                    "--config",
                    "retention.ms=9999999")
                .out())
        .isEqualTo("Created orders, partitions: 3\n");
    produce("orders", "a\nb\n", "--partition", "2");

    assertThat(runOk("topics", "list").lines())
        .contains("orders")
        .doesNotContain("__consumer_offsets");
    assertThat(runOk("topics", "describe", "orders").lines())
        .satisfies(lines -> assertThat(lines.get(0)).startsWith("topic name=orders topicId="))
        .contains(
            "  partition topic=orders partition=2 leader=1 firstOffset=0 nextOffset=2",
            "  setting topic=orders name=retention.ms value=9999999");

    CommandRun again = run("topics", "create", "orders");
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).startsWith("tidelog topics create: orders could not be created: ");

    assertThat(runOk("topics", "delete", "orders").out()).isEqualTo("Deleted orders\n");
    assertThat(runOk("topics", "list").lines()).doesNotContain("orders");
    assertThat(run("topics", "delete", "orders").exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run("topics", "describe", "orders").exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void a_topic_or_partition_that_is_not_there_is_named() {
    CommandRun topic = run("consume", "nowhere", "--exit-at-end", "--timeout", "5");
    assertThat(topic.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(topic.err()).contains("there is no topic nowhere");

    produce("one-partition", "x\n");
    CommandRun partition = run("consume", "one-partition", "--partition", "4");
    assertThat(partition.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(partition.err()).contains("one-partition has no partition 4; it has 1");
  }

  @Test
  void wrong_arguments_are_named_and_nothing_is_done() {
    assertUsage("--compression is \"rar\"", "produce", "t", "--compression", "rar");
    assertUsage("--acks is \"2\"", "produce", "t", "--acks", "2");
    assertUsage("--partition is -1", "produce", "t", "--partition", "-1");
    assertUsage("--from \"soon\" is neither", "consume", "t", "--from", "soon");
    assertUsage("--format is \"xml\"", "consume", "t", "--format", "xml");
    assertUsage("exclude each other", "consume", "t", "--group", "g", "--partition", "0");
    assertUsage("--from with --group", "consume", "t", "--group", "g", "--from", "3");
    assertUsage("--timeout is 0", "topics", "list", "--timeout", "0");
    assertUsage("Missing required parameter", "consume");
    assertUsage("Missing required subcommand", "topics");
  }

  private static void assertUsage(String words, String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.err()).contains(words);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void a_missing_file_of_lines_is_named() {
    CommandRun run = run("produce", "t", directory.resolve("missing").toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.err()).contains(directory.resolve("missing") + " does not exist");
  }

  @Test
  void where_nothing_listens_that_is_said_at_once() throws Exception {
    int port;
    try (java.net.ServerSocket free =
        new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }

    for (String[] command :
        new String[][] {{"topics", "list"}, {"produce", "t"}, {"consume", "t"}}) {
      CommandRun run = CommandRun.of(with(command, "--bootstrap", "127.0.0.1:" + port));

      assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(run.err()).contains("nothing listens at 127.0.0.1:" + port);
      assertThat(run.err().lines()).hasSize(1);
    }
  }
}
