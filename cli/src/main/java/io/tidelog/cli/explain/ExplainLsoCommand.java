package io.tidelog.cli.explain;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.cli.client.TopicAdmin;
import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.disk.Disk;
import io.tidelog.explain.OpenTransactions;
import io.tidelog.explain.PartitionOnDisk;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.IsolationLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidelog explain lso}. */
@Command(
    name = "lso",
    description =
        "Say which transactions hold the last stable offset, where readers of committed records"
            + " stop, since when, and how to end them.")
public final class ExplainLsoCommand implements Callable<Integer> {
  private final Disk disk;
  private final Streams streams;

  @Mixin private Where where;
  @Mixin private Presentation presentation;

  public ExplainLsoCommand(Disk disk, Streams streams) {
    this.disk = disk;
    this.streams = streams;
  }

  @Override
  public Integer call() {
    return Reading.exitCodeOf(
        () -> {
          Rows rows = presentation.rows(streams);
          if (where.isDirectory()) {
            explain(where.files(disk), rows);
          } else {
            explainRunning(rows);
          }
        });
  }

  private static void explain(PartitionOnDisk log, Rows rows) throws IOException {
    List<OpenTransactions.Open> open = OpenTransactions.of(log);
    long stable =
        open.stream().mapToLong(OpenTransactions.Open::firstOffset).findFirst().orElse(log.end());
    rows.row(logRow(log.partition(), stable, log.end()));
    for (OpenTransactions.Open transaction : open) {
      Row row =
          Row.of("open")
              .with("producerId", transaction.producerId())
              .with("producerEpoch", transaction.epoch())
              .with("firstOffset", transaction.firstOffset());
      if (transaction.sinceMs() >= 0) {
        row.with("since", Instant.ofEpochMilli(transaction.sinceMs()));
      }
      rows.row(
          row.with("lastTimestamp", Instant.ofEpochMilli(transaction.lastMs()))
              .with("coordinatorEpoch", transaction.coordinatorEpoch())
              .with(
                  "toEnd",
                  "its producer or, after transaction.timeout.ms, its coordinator ends it once a"
                      + " broker runs; else: "
                      + abort("HOST:PORT", log.partition(), transaction.firstOffset())));
    }
  }

  private static Row logRow(TopicPartition partition, long stable, long end) {
    return Row.of("log")
        .with("partition", partition.toString())
        .with("lastStableOffset", stable)
        .with("endOffset", end)
        .with(
            "why",
            stable < end
                ? "the transaction that begins at offset %d is open".formatted(stable)
                : "no transaction is open, so that all records are stable");
  }

  private static String abort(String bootstrap, TopicPartition partition, long startOffset) {
    return "kafka-transactions.sh --bootstrap-server %s abort --topic %s --partition %d --start-offset %d"
        .formatted(bootstrap, partition.topic(), partition.partition(), startOffset);
  }

  private void explainRunning(Rows rows) {
    TopicPartition partition = where.partition();
    try (TopicAdmin admin = TopicAdmin.open(where.broker())) {
      RunningBroker broker = new RunningBroker(admin, where.broker());
      rows.row(
          logRow(
              partition,
              broker.latest(partition, IsolationLevel.READ_COMMITTED),
              broker.latest(partition, IsolationLevel.READ_UNCOMMITTED)));
      for (ProducerState producer : broker.openTransactions(partition)) {
        rows.row(runningRow(broker, producer));
      }
    }
  }

  private Row runningRow(RunningBroker broker, ProducerState producer) {
    Optional<String> id = broker.transactionalId(producer.producerId());
    Row row = Row.of("open");
    id.ifPresent(known -> row.with("transactionalId", known));
    long firstOffset = producer.currentTransactionStartOffset().getAsLong();
    row.with("producerId", producer.producerId())
        .with("producerEpoch", producer.producerEpoch())
        .with("firstOffset", firstOffset)
        .with("lastTimestamp", Instant.ofEpochMilli(producer.lastTimestamp()))
        .with("coordinatorEpoch", producer.coordinatorEpoch().orElse(-1));
    String abort = abort(where.broker().bootstrap(), where.partition(), firstOffset);
    Optional<TransactionDescription> ongoing =
        id.map(broker::transaction)
            .filter(found -> found.state() == TransactionState.ONGOING)
            .filter(found -> found.transactionStartTimeMs().isPresent());
    if (ongoing.isEmpty()) {
      return row.with(
          "toEnd",
          "no coordinator has it under way, so that nobody will end it by himself: " + abort);
    }
    long sinceMs = ongoing.get().transactionStartTimeMs().getAsLong();
    Instant timeout = Instant.ofEpochMilli(sinceMs + ongoing.get().transactionTimeoutMs());
    return row.with("since", Instant.ofEpochMilli(sinceMs))
        .with("timeoutAt", timeout)
        .with(
            "toEnd",
            "its producer ends it, or its coordinator soon after %s; at once: %s"
                .formatted(timeout, abort));
  }
}
