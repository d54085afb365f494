package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.coordinator.MovedTime;
import io.tidelog.handler.TransactionModel.Outcome;
import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.testkit.PowerCut;
import io.tidelog.testkit.Property;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import io.tidelog.topic.TopicAdmin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.TransactionResult;
import org.junit.jupiter.api.Test;

/**
 * Random interleavings of transactional and plain producers, ends of transactions, timeouts,
 * restarts and power cuts, against a model. Everything is on topics that promise to survive a power
 * cut, so every answer must hold, whatever is lost.
 */
class TransactionsModelPropertyTest {
  private static final Path DATA = Path.of("/data");
  private static final int PRODUCERS = 3;
  private static final int PARTITIONS = 2;
  private static final Map<String, String> DURABLE = Map.of("tidelog.durability", "fsync");

  private enum Kind {
    WRITE,
    PLAIN,
    COMMIT,
    ABORT,
    START,
    TIMEOUT,
    RESTART,
    CUT
  }

  /**
   * One step.
   *
   * @param producer who makes it
   * @param number a partition, or how many changes of the disk until the power goes
   */
  private record Step(Kind kind, int producer, int number) {
    static Step random(RandomGenerator random) {
      int dice = random.nextInt(100);
      Kind kind =
          dice < 45
              ? Kind.WRITE
              : dice < 55
                  ? Kind.PLAIN
                  : dice < 72
                      ? Kind.COMMIT
                      : dice < 82
                          ? Kind.ABORT
                          : dice < 87
                              ? Kind.START
                              : dice < 90 ? Kind.TIMEOUT : dice < 94 ? Kind.RESTART : Kind.CUT;
      return new Step(kind, random.nextInt(PRODUCERS), random.nextInt(60));
    }
  }

  @Test
  void what_was_answered_is_what_readers_see() {
    Property.<Step>named("what was answered is what readers see")
        .runs(25)
        .operations(60, Step::random)
        .holds(
            steps -> {
              try (Run run = new Run()) {
                for (Step step : steps) {
                  run.take(step);
                }
                run.finish();
              }
            });
  }

  /** One run on one disk after the other. */
  private static final class Run implements AutoCloseable {
    private final TransactionModel model = new TransactionModel();
    private final List<Thread> remains = new ArrayList<>();
    private MovedTime time = new MovedTime();
    private SimDisk disk = new SimDisk(1);
    private GroupServer server;
    private Topic topic;
    private TransactionalProducer[] producers;
    private int crashes;

    Run() throws IOException {
      startServer();
      create("__transaction_state", 2);
      create("topic", PARTITIONS);
      settle();
      startProducers();
    }

    private void startServer() throws IOException {
      server = GroupServer.startOn(disk, DATA, Map.of(), time);
      server.goneWhen(disk::isPowerCut);
    }

    private void create(String name, int partitions) {
      server.join(
          server
              .topics
              .admin()
              .create(
                  List.of(NewTopic.named(name).withPartitions(partitions).withConfigs(DURABLE)),
                  TopicAdmin.Intent.CARRY_OUT));
    }

    private void startProducers() {
      topic = server.topics.find("topic").orElseThrow();
      producers = new TransactionalProducer[PRODUCERS];
      for (int i = 0; i < PRODUCERS; i++) {
        producers[i] = new TransactionalProducer(server, "id" + i);
        startProducer(i);
      }
    }

    /** A transaction that it left open is aborted first. */
    private void startProducer(int producer) {
      Errors error = producers[producer].start().error();
      while (error == Errors.CONCURRENT_TRANSACTIONS) {
        time.advanceMs(1);
        error = producers[producer].start().error();
      }
      if (!disk.isPowerCut()) {
        assertThat(error).isEqualTo(Errors.NONE);
      }
    }

    void take(Step step) throws IOException {
      try {
        carryOut(step);
        time.advanceMs(0);
      } catch (PowerCut | GroupServer.GoneException cut) {
        // What was answered before is in the model.
      }
      if (disk.isPowerCut()) {
        crash();
      }
    }

    private void carryOut(Step step) throws IOException {
      switch (step.kind) {
        case WRITE -> write(step.producer, step.number % PARTITIONS);
        case PLAIN -> writePlain(step.number % PARTITIONS);
        case COMMIT -> end(step.producer, TransactionResult.COMMIT);
        case ABORT -> end(step.producer, TransactionResult.ABORT);
        case START -> {
          startProducer(step.producer);
          model.ended(step.producer, Outcome.ABORTED);
        }
        case TIMEOUT -> timeOut();
        case RESTART -> restart();
        case CUT -> disk.cutPowerAtChange(1 + step.number);
      }
    }

    private void write(int producer, int partition) throws IOException {
      String value = model.nextValue();
      Errors error = null;
      try {
        error = producers[producer].write(topic, partition, value);
        while (error == Errors.CONCURRENT_TRANSACTIONS) {
          time.advanceMs(1);
          error = producers[producer].write(topic, partition, value);
        }
        if (error == Errors.NONE) {
          acknowledge(partition);
        }
      } finally {
        boolean isAcknowledged = error == Errors.NONE && !disk.isPowerCut();
        model.wrote(producer, partition, value, isAcknowledged);
      }
      if (!disk.isPowerCut()) {
        assertThat(error).isEqualTo(Errors.NONE);
      }
    }

    private void writePlain(int partition) throws IOException {
      String value = model.nextValue();
      boolean isAcknowledged = false;
      try {
        Partition target = topic.partition(partition).orElseThrow();
        MemoryRecords batch =
            MemoryRecords.withRecords(
                Compression.NONE,
                new SimpleRecord(time.millis(), value.getBytes(StandardCharsets.UTF_8)));
        target.log().append(batch.buffer(), target.leaderEpoch(), AppendSource.CLIENT);
        acknowledge(partition);
        isAcknowledged = !disk.isPowerCut();
      } finally {
        model.wrotePlain(partition, value, isAcknowledged);
      }
    }

    /** An acknowledgement waits until the record is durable. */
    private void acknowledge(int partition) {
      PartitionLog log = topic.partition(partition).orElseThrow().log();
      time.advanceMs(0);
      assertThat(disk.isPowerCut() || log.view().highWatermark() == log.view().end()).isTrue();
    }

    private void end(int producer, TransactionResult result) {
      if (!model.isOpen(producer)) {
        return;
      }
      boolean commits = result == TransactionResult.COMMIT;
      Errors error = null;
      try {
        error = producers[producer].end(result);
        while (error == Errors.CONCURRENT_TRANSACTIONS) {
          time.advanceMs(1);
          error = producers[producer].end(result);
        }
      } finally {
        boolean isAnswered = error == Errors.NONE;
        model.ended(
            producer,
            !commits ? Outcome.ABORTED : isAnswered ? Outcome.COMMITTED : Outcome.ASKED_TO_COMMIT);
      }
      if (!disk.isPowerCut()) {
        assertThat(error).isEqualTo(Errors.NONE);
      }
    }

    private void timeOut() {
      time.advanceMs(2 * TransactionalProducer.TIMEOUT_MS);
      settle();
      if (!disk.isPowerCut()) {
        model.allOpenAborted();
        for (int i = 0; i < PRODUCERS; i++) {
          startProducer(i);
        }
      }
    }

    /** Waits until no transaction is between its decision and its end. */
    private void settle() {
      server.join(server.transactions.ready());
      for (int i = 0; producers != null && i < PRODUCERS; i++) {
        TransactionalProducer producer = producers[i];
        server.await(
            () -> {
              time.advanceMs(1);
              return disk.isPowerCut() || !producer.state().startsWith("Prepare");
            });
      }
    }

    private void restart() throws IOException {
      settle();
      if (disk.isPowerCut()) {
        return;
      }
      model.check(topic);
      server.close();
      time = new MovedTime(time.millis());
      startServer();
      topic = server.topics.find("topic").orElseThrow();
      server.transactions.resume();
      for (int i = 0; i < PRODUCERS; i++) {
        producers[i] = producers[i].at(server);
      }
      settle();
      model.check(topic);
    }

    /** The machine is gone with all that ran on it; another finds one of the disks it may leave. */
    private void crash() throws IOException {
      GroupServer gone = server;
      Thread end =
          new Thread(
              () -> {
                try {
                  gone.close();
                } catch (IOException | PowerCut e) {
                  // As it must be.
                }
              },
              "gone");
      end.setDaemon(true);
      end.start();
      remains.add(end);
      disk = disk.crash(++crashes);
      time = new MovedTime(time.millis());
      startServer();
      server.transactions.resume();
      startProducers();
      model.allOpenAborted();
      settle();
      model.check(topic);
    }

    void finish() throws IOException {
      disk.cutPower();
      crash();
      take(new Step(Kind.TIMEOUT, 0, 0));
      settle();
      model.check(topic);
      for (Partition partition : topic.partitions()) {
        assertThat(partition.log().view().stable()).isEqualTo(partition.log().view().end());
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
