package io.tidelog.handler;

import io.tidelog.coordinator.JoinRule;
import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.ProducerGrant;
import io.tidelog.coordinator.StartingProducer;
import io.tidelog.log.AppendSource;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.server.common.TransactionVersion;

/** A producer of transactions, step by step, without sockets. */
final class TransactionalProducer {
  static final int TIMEOUT_MS = 60_000;

  private final GroupServer server;
  private final String id;
  private ProducerGrant grant;
  private final Map<TopicPartition, Integer> sequences = new HashMap<>();

  TransactionalProducer(GroupServer server, String id) {
    this.server = server;
    this.id = id;
  }

  /** The same producer, known to a server that has been started again. */
  TransactionalProducer at(GroupServer restarted) {
    TransactionalProducer same = new TransactionalProducer(restarted, id);
    same.grant = grant;
    same.sequences.putAll(sequences);
    return same;
  }

  ProducerGrant start() {
    ProducerGrant next =
        server.join(
            server.transactions.start(new StartingProducer(id, TIMEOUT_MS, Optional.empty())));
    if (next.error() == Errors.NONE) {
      goOnWith(next);
    }
    return next;
  }

  private void goOnWith(ProducerGrant next) {
    grant = next;
    sequences.clear();
  }

  ProducerClaim claim() {
    return new ProducerClaim(id, grant.producerId(), grant.producerEpoch());
  }

  /** Writes one record as Produce does, the partition being added by it. */
  Errors write(Topic topic, int partition, String value) throws IOException {
    Partition target = topic.partition(partition).orElseThrow();
    TopicPartition name = new TopicPartition(topic.name(), partition);
    int sequence = sequences.getOrDefault(name, 0);
    Optional<TransactionGuard> guard =
        target
            .log()
            .guardTransaction(
                new FirstBatch(
                    grant.producerId(), grant.producerEpoch(), sequence, JoinRule.ADD.protocol()));
    if (guard.isPresent()) {
      Map<TopicPartition, Errors> refused =
          server.join(server.transactions.admit(claim(), Set.of(name), JoinRule.ADD));
      if (!refused.isEmpty()) {
        return refused.get(name);
      }
    }
    MemoryRecords batch =
        MemoryRecords.withTransactionalRecords(
            Compression.NONE,
            grant.producerId(),
            grant.producerEpoch(),
            sequence,
            new SimpleRecord(server.time.millis(), value.getBytes(StandardCharsets.UTF_8)));
    target
        .log()
        .append(
            batch.buffer(),
            target.leaderEpoch(),
            AppendSource.CLIENT,
            guard.orElse(TransactionGuard.NONE));
    sequences.put(name, sequence + 1);
    return Errors.NONE;
  }

  /** Ends the transaction and goes on with what it is told. */
  Errors end(TransactionResult result) {
    ProducerGrant next =
        server.join(server.transactions.end(claim(), result, TransactionVersion.TV_2));
    if (next.error() == Errors.NONE) {
      goOnWith(next);
    }
    return next.error();
  }

  TransactionState describe() {
    return server.join(server.transactions.describe(id));
  }

  /** The name of the state, or of the error. */
  String state() {
    TransactionState row = describe();
    return row.errorCode() == Errors.NONE.code()
        ? row.transactionState()
        : Errors.forCode(row.errorCode()).name();
  }
}
