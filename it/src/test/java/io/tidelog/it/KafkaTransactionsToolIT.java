package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own tools look at our transactions, and end one that hangs. */
class KafkaTransactionsToolIT {
  private static final String TOOL = "org.apache.kafka.tools.TransactionsCommand";
  private static final String DUMP = "org.apache.kafka.tools.DumpLogSegments";
  private static final long HANGING = 4_242;
  private static final long HOUR_MS = 3_600_000;
  private static final TopicPartition PARTITION = new TopicPartition("ledger", 0);

  @TempDir Path directory;
  private int outputs;

  @Test
  void kafkas_tools_list_describe_find_and_abort_transactions_and_read_their_log()
      throws Exception {
    Path data = directory.resolve("data");
    BrokerSettings settings =
        BrokerSettings.embedded(data).with("transaction.partition.verification.enable", "false");
    try (Broker broker = Broker.start(settings);
        KafkaProducer<String, String> producer = producer(broker)) {
      createTopic(broker);
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("ledger", 0, null, "committed"));
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("ledger", 0, null, "open"));
      producer.flush();
      look(broker);
      producer.abortTransaction();
      leaveHanging(broker);
      abortWhatHangs(broker);
    }
    assertThat(dumps(data)).contains("payments", "Ongoing", "CompleteAbort", "CompleteCommit");
  }

  private void look(Broker broker) throws Exception {
    assertThat(tool(broker, "list")).contains("payments", "Ongoing");
    assertThat(tool(broker, "list", "--duration-filter", "3600000")).doesNotContain("payments");
    assertThat(tool(broker, "list", "--transactional-id-pattern", "pay.*")).contains("payments");
    assertThat(tool(broker, "list", "--transactional-id-pattern", "none"))
        .doesNotContain("payments");
    assertThat(tool(broker, "describe", "--transactional-id", "payments"))
        .contains("Ongoing", "ledger-0");
    assertThat(tool(broker, "describe-producers", "--topic", "ledger", "--partition", "0"))
        .contains("CurrentTransactionStartOffset")
        .containsPattern("\\b2\\b");
  }

  /** What no coordinator knows of: a batch of a transaction that was never verified. */
  private static void leaveHanging(Broker broker) throws IOException {
    MemoryRecords batch =
        MemoryRecords.withTransactionalRecords(
            Compression.NONE,
            HANGING,
            (short) 0,
            0,
            new SimpleRecord(
                System.currentTimeMillis() - HOUR_MS, "hanging".getBytes(StandardCharsets.UTF_8)));
    ProduceRequestData body =
        new ProduceRequestData()
            .setAcks((short) -1)
            .setTimeoutMs(10_000)
            .setTransactionalId("nobody");
    body.topicData()
        .add(
            new TopicProduceData()
                .setName("ledger")
                .setPartitionData(
                    List.of(new PartitionProduceData().setIndex(0).setRecords(batch))));
    ProduceRequest request = new ProduceRequest(body, (short) 11);
    RequestHeader header = new RequestHeader(request.apiKey(), request.version(), "hanging", 1);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.port())) {
      ByteBuffer frame = request.serializeWithHeader(header);
      byte[] bytes = new byte[frame.remaining()];
      frame.get(bytes);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(bytes.length);
      out.write(bytes);
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      AbstractResponse answer =
          AbstractResponse.parseResponse(ByteBuffer.wrap(in.readNBytes(in.readInt())), header);
      assertThat(((ProduceResponse) answer).errorCounts()).containsOnlyKeys(Errors.NONE);
    }
  }

  private void abortWhatHangs(Broker broker) throws Exception {
    long start = end(broker, IsolationLevel.READ_COMMITTED);
    assertThat(end(broker, IsolationLevel.READ_UNCOMMITTED)).isEqualTo(start + 1);
    assertThat(tool(broker, "find-hanging", "--topic", "ledger", "--partition", "0"))
        .contains(Long.toString(HANGING));
    tool(
        broker,
        "abort",
        "--topic",
        "ledger",
        "--partition",
        "0",
        "--start-offset",
        Long.toString(start));
    assertThat(end(broker, IsolationLevel.READ_COMMITTED)).isEqualTo(start + 2);
    assertThat(tool(broker, "find-hanging", "--topic", "ledger", "--partition", "0"))
        .doesNotContain(Long.toString(HANGING));
    assertThat(committed(broker)).containsExactly("committed");
  }

  private static long end(Broker broker, IsolationLevel isolation) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap(broker)))) {
      return admin
          .listOffsets(
              Map.of(PARTITION, org.apache.kafka.clients.admin.OffsetSpec.latest()),
              new org.apache.kafka.clients.admin.ListOffsetsOptions(isolation))
          .partitionResult(PARTITION)
          .get()
          .offset();
    }
  }

  private static List<String> committed(Broker broker) {
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap(broker), "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      long end = consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
      while (consumer.position(PARTITION) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  private static String bootstrap(Broker broker) {
    return "127.0.0.1:" + broker.port();
  }

  private static KafkaProducer<String, String> producer(Broker broker) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bootstrap(broker), "transactional.id", "payments"),
        new StringSerializer(),
        new StringSerializer());
  }

  private static void createTopic(Broker broker) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap(broker)))) {
      admin.createTopics(List.of(new NewTopic("ledger", 1, (short) 1))).all().get();
    }
  }

  private String tool(Broker broker, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("--bootstrap-server", bootstrap(broker)));
    all.addAll(List.of(arguments));
    return run(TOOL, all);
  }

  private String run(String mainClass, List<String> arguments) throws Exception {
    Path output = directory.resolve("output-" + outputs++);
    Command.java(output, mainClass, arguments.toArray(String[]::new));
    return Files.readString(output);
  }

  /** What Kafka's decoder of transactions says of all that we wrote of them. */
  private String dumps(Path data) throws Exception {
    StringBuilder dumps = new StringBuilder();
    for (Path log : logs(data)) {
      if (Files.size(log) > 0) {
        dumps.append(run(DUMP, List.of("--transaction-log-decoder", "--files", log.toString())));
      }
    }
    return dumps.toString();
  }

  private static List<Path> logs(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.getParent().getFileName().toString().startsWith("__transaction_st"))
          .filter(file -> file.toString().endsWith(".log"))
          .toList();
    }
  }
}
