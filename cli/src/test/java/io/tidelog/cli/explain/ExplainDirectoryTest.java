package io.tidelog.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.cli.CommandRun;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code tidelog explain} on a directory that nobody serves, line by line. */
class ExplainDirectoryTest {
  private static final long TIME_MS = 1_700_000_000_000L;

  @TempDir static Path data;
  private static Path log;

  /** Segment 0 has two batches, one of them from the future; segment 3 an open transaction. */
  @BeforeAll
  static void write() throws IOException {
    LogSettings settings =
        LogSettings.of(
            Map.of(
                "segment.bytes",
                "163",
                "segment.ms",
                Long.toString(Long.MAX_VALUE),
                "index.interval.bytes",
                "1",
                "message.timestamp.after.max.ms",
                Long.toString(Long.MAX_VALUE)));
    TopicPartition orders = new TopicPartition("orders", 0);
    log = data.resolve("orders-0/00000000000000000000.log");
    try (LogStore store =
        LogStore.open(data, new StoreSettings(t -> settings, 300_000, 300_000, 60_000, 1))) {
      PartitionLog opened = store.create(orders, new TopicId(1, 2), settings);
      append(opened, writer -> writer.append(TIME_MS, utf8("k"), utf8("one")));
      append(
          opened,
          writer ->
              writer
                  .append(TIME_MS, utf8("k"), utf8("two"))
                  .append(4_000_000_000_000L, null, utf8("future")));
      FirstBatch first = new FirstBatch(77, (short) 1, 0, TransactionProtocol.V1);
      opened.append(
          batch(
              writer ->
                  writer
                      .producer(77, (short) 1, 0)
                      .transactional()
                      .append(TIME_MS + 5, null, utf8("open"))),
          0,
          AppendSource.CLIENT,
          opened.guardTransaction(first).orElseThrow());
    }
  }

  private static void append(PartitionLog log, UnaryOperator<RecordBatchWriter> contents)
      throws IOException {
    log.append(batch(contents), 0, AppendSource.CLIENT);
  }

  private static ByteBuffer batch(UnaryOperator<RecordBatchWriter> contents) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatch batch = contents.apply(new RecordBatchWriter(codecs).begin()).finish();
      return ByteBuffer.allocate(batch.sizeBytes())
          .put(batch.buffer().slice(batch.position(), batch.sizeBytes()))
          .flip();
    }
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static CommandRun explain(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "explain";
    System.arraycopy(args, 0, all, 1, args.length);
    return CommandRun.of(all);
  }

  /** The command at a moment of the test's choice. */
  private static String retentionAt(long nowMs, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, false, StandardCharsets.UTF_8);
    Streams streams =
        new Streams(
            new ByteArrayInputStream(new byte[0]), print, print, Streams.ErrorOutput.REDIRECTED);
    InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(nowMs));
    int exitCode =
        new CommandLine(new ExplainRetentionCommand(new NioDisk(), clock, streams)).execute(args);
    print.flush();
    assertThat(exitCode).isEqualTo(ExitCode.OK);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void retention_names_the_record_that_holds_a_segment_and_the_time_when_it_goes() {
    String[] args = {"orders-0", "--dir", data.toString(), "--setting", "retention.ms=3600000"};

    assertThat(retentionAt(TIME_MS + 60_000, args).lines())
        .containsExactly(
            "log partition=orders-0 startOffset=0 endOffset=4 cleanup.policy=delete"
                + " retention.ms=3600000 retention.bytes=-1 retentionClock=record defaultsAssumed"
                + " now=2023-11-14T22:14:20Z",
            "segment baseOffset=0 endOffset=3 bytes=163 reason=young"
                + " decidingTimestamp=2096-10-02T07:06:40Z decidingOffset=2"
                + " goesAt=2096-10-02T08:06:40.001Z why=It stays: its newest record, offset 2 in"
                + " the batch at byte 72, is dated 2096-10-02T07:06:40Z, in 26620 d 8 h, in the"
                + " future; with retention.ms (1 h) its time comes 2096-10-02T08:06:40.001Z, in"
                + " 26620 d 9 h.",
            "segment baseOffset=3 endOffset=4 bytes=72 reason=young"
                + " decidingTimestamp=2023-11-14T22:13:20.005Z decidingOffset=3"
                + " goesAt=2096-10-02T08:06:40.001Z why=It stays: its newest record, offset 3 in"
                + " the batch at byte 0, is dated 2023-11-14T22:13:20.005Z, 59 s ago; with"
                + " retention.ms (1 h) its time comes 2023-11-14T23:13:20.006Z, in 59 min. Segments"
                + " go from the oldest on, so it waits for segment 0, whose newest record is dated"
                + " 2096-10-02T07:06:40Z.");
  }

  @Test
  void retention_in_json_has_the_same_facts() {
    String[] args = {"orders-0", "--dir", data.toString(), "--json"};
    assertThat(retentionAt(TIME_MS, args).lines().skip(1).findFirst().orElseThrow())
        .startsWith(
            "{\"kind\":\"segment\",\"baseOffset\":0,\"endOffset\":3,\"bytes\":163,"
                + "\"reason\":\"young\",\"decidingTimestamp\":4000000000000,\"decidingOffset\":2,"
                + "\"goesAt\":4000604800001,\"why\":\"It stays: ");
  }

  @Test
  void compaction_says_whether_it_is_time_and_what_goes() {
    CommandRun run =
        explain(
            "compaction",
            "orders-0",
            "--dir",
            data.toString(),
            "--setting",
            "cleanup.policy=compact",
            "--setting",
            "segment.bytes=163");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines()).hasSize(3);
    assertThat(run.lines().get(0))
        .startsWith(
            "log partition=orders-0 startOffset=0 endOffset=4 cleanup.policy=compact"
                + " defaultsAssumed verdict=due_by_ratio firstDirtyOffset=0"
                + " dirtyFrom=never_compacted firstUncleanableOffset=3 limit=active_segment"
                + " cleanBytes=0 dirtyBytes=163 dirtyRatio=1.000 min.cleanable.dirty.ratio=0.5"
                + " allKeysHeld notBefore=")
        .endsWith(
            " why=It is due: 163 of 163 bytes below offset 3 are dirty, a share of 1.000, more than"
                + " min.cleanable.dirty.ratio (0.5). Segment 3 stays as it is: it is still written"
                + " to, until 91 more bytes reach segment.bytes or segment.ms (7 d) is over.");
    assertThat(run.lines().subList(1, 3))
        .containsExactly(
            "segment baseOffset=0 endOffset=3 bytes=163 state=dirty records=3 goes=2 tombstones=0"
                + " markers=0 why=2 of 3 records go with the next run.",
            "segment baseOffset=3 endOffset=4 bytes=72 state=stays why=It stays as it is: it is"
                + " still written to.");
  }

  @Test
  void compaction_in_json_has_the_same_facts() {
    CommandRun run = explain("compaction", "orders-0", "--json", "--dir", data.toString());
    assertThat(run.lines().get(0))
        .startsWith("{\"kind\":\"log\",\"partition\":\"orders-0\",")
        .contains("\"verdict\":\"not_compacted\",\"firstDirtyOffset\":0,")
        .contains("\"why\":\"It is not compacted: cleanup.policy is delete.");
    assertThat(run.lines().get(1))
        .startsWith("{\"kind\":\"segment\",\"baseOffset\":0,\"endOffset\":3,\"bytes\":163,");
  }

  @Test
  void a_setting_or_an_offset_that_cannot_be_is_refused() {
    CommandRun setting =
        explain("retention", "orders-0", "--dir", data.toString(), "--setting=foo=bar");
    assertThat(setting.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(setting.err()).contains("--setting names foo, which no topic has");

    CommandRun offset = explain("offset", "orders-0", "-1", "--dir", data.toString());
    assertThat(offset.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(offset.err()).contains("OFFSET is -1, expected 0 or more");
  }

  @Test
  void lso_names_the_producer_the_offset_and_the_command() {
    CommandRun run = explain("lso", "orders-0", "--dir", data.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines())
        .containsExactly(
            "log partition=orders-0 lastStableOffset=3 endOffset=4 why=the transaction that begins"
                + " at offset 3 is open",
            "open producerId=77 producerEpoch=1 firstOffset=3 since=2023-11-14T22:13:20.005Z"
                + " lastTimestamp=2023-11-14T22:13:20.005Z coordinatorEpoch=-1 toEnd=its producer"
                + " or, after transaction.timeout.ms, its coordinator ends it once a broker runs;"
                + " else: kafka-transactions.sh --bootstrap-server HOST:PORT abort --topic orders"
                + " --partition 0 --start-offset 3");
  }

  @Test
  void offset_shows_the_way_to_the_record_and_who_gets_it() {
    CommandRun run = explain("offset", "orders-0", "2", "--dir", data.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines())
        .containsExactly(
            "offset offset=2 is=record startOffset=0 lastStableOffset=3 endOffset=4 leaderEpoch=0"
                + " why=a record, which every reader gets",
            "  lookup file=" + log + " indexEntry=0 scanFrom=72 scannedBytes=0",
            "  batch position=72 bytes=91 baseOffset=1 lastOffset=2 records=2 leaderEpoch=0"
                + " maxTimestamp=2096-10-02T07:06:40Z",
            "  record index=1 timestamp=2096-10-02T07:06:40Z key=null value=\"future\"");
    assertThat(explain("offset", "orders-0", "3", "--dir", data.toString()).lines().get(0))
        .endsWith(
            "why=a record, which read_committed does not get yet: it lies at or past the last"
                + " stable offset");
    assertThat(explain("offset", "orders-0", "4", "--dir", data.toString()).lines())
        .singleElement()
        .asString()
        .contains("is=past_end");
  }

  @Test
  void bytes_says_which_field_a_byte_is_in() throws IOException {
    CommandRun run = explain("bytes", log + "@69");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines())
        .containsExactly(
            "byte position=69 value=0x6e in=batch at byte 0 field=record 0, value fieldAt=68"
                + " fieldBytes=3 fieldValue=\"one\" file=record batches summary=offsets 0 to 0, 1"
                + " records in 72 bytes, compression none, leader epoch 0, CRC matches");

    Path damaged = data.resolve("00000000000000000000.log.0.cut");
    byte[] bytes = Files.readAllBytes(log);
    bytes[16] = 7;
    Files.write(damaged, bytes);
    CommandRun damage = explain("bytes", "--json", damaged + "@40");
    assertThat(damage.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(damage.lines())
        .containsExactly(
            "{\"kind\":\"byte\",\"position\":40,\"value\":\"0xe5\",\"in\":\"damage from byte 0 to"
                + " 71\",\"field\":\"none\",\"fieldAt\":0,\"fieldBytes\":72,\"fieldValue\":\"byte"
                + " 40, where maxTimestamp of a batch's header is expected of the damage\","
                + "\"file\":\"record batches\",\"summary\":\"the next sound batch begins at byte"
                + " 72\",\"damage\":\""
                + damaged
                + " at byte 0: format version (magic) is 7, expected 2\"}");
  }

  @Test
  void what_cannot_be_explained_is_told_with_its_exit_code() {
    assertThat(explain("bytes", log + "@99999").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(explain("bytes", log.toString()).exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(explain("bytes", data.resolve("none.log") + "@0").exitCode())
        .isEqualTo(ExitCode.UNREACHABLE);
    CommandRun none = explain("offset", "nothing-0", "1", "--dir", data.toString());
    assertThat(none.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(none.err()).contains("no such partition");
    assertThat(explain("lso", "nothing", "--dir", data.toString()).exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(
            explain(
                    "retention",
                    "orders-0",
                    "--dir",
                    data.toString(),
                    "--setting",
                    "retention.ms=x")
                .exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(List.of(explain("lso", "orders-0", "--bootstrap", "127.0.0.1:1").exitCode()))
        .containsExactly(ExitCode.UNREACHABLE);
  }
}
