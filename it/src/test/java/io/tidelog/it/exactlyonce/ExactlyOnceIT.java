package io.tidelog.it.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.it.BrokerProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Workers copy a topic in transactions while broker and workers are killed with SIGKILL, round
 * after round. {@code ./dev soak} runs more rounds than {@code ./dev test}.
 */
class ExactlyOnceIT {
  private static final int ROUNDS = Integer.getInteger("soak.rounds", 5);
  private static final long SEED = Long.getLong("soak.seed", 20_261_130);
  private static final int PARTITIONS = 3;
  private static final int WORKERS = 2;
  private static final Duration ROUND_LIMIT = Duration.ofSeconds(60);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void the_output_is_the_input_exactly_once_and_no_transaction_stays_open(String groupProtocol)
      throws Exception {
    System.out.printf("SOAK ./dev soak %d %d: %s groups%n", ROUNDS, SEED, groupProtocol);
    SplittableRandom random = new SplittableRandom(SEED);
    BrokerProcess.Options options = options();
    BrokerProcess broker = BrokerProcess.start(options);
    String bootstrap = broker.bootstrap();
    createTopics(bootstrap);
    try (CommittedReader reader = CommittedReader.start(bootstrap, PARTITIONS);
        NumberSource source = NumberSource.start(bootstrap, PARTITIONS, reader);
        Workers workers = Workers.start(WORKERS, bootstrap, directory, SEED, groupProtocol)) {
      for (int round = 0; round < ROUNDS; round++) {
        int target = reader.count() + 50 + random.nextInt(400);
        await("round " + round, () -> reader.count() >= target);
        LockSupport.parkNanos(random.nextInt(30_000_000));
        int victim = random.nextInt(WORKERS + 2);
        if (victim >= WORKERS) {
          broker.kill();
        }
        if (victim <= WORKERS) {
          workers.replace(victim % WORKERS);
        }
        if (victim >= WORKERS) {
          broker = BrokerProcess.start(options);
        }
      }
      workers.kill(0);
      List<List<String>> input = source.stop();
      int sent = input.stream().mapToInt(List::size).sum();
      await("all of " + sent, () -> reader.count() >= sent);
      assertThat(reader.values()).isEqualTo(input);
      workers.stop();
      OpenTransactions.assertNone(bootstrap, ROUND_LIMIT);
      System.out.printf("SOAK %d rounds passed, %d records%n", ROUNDS, sent);
      assertThat(broker.stop()).isZero();
    } finally {
      broker.close();
    }
  }

  private BrokerProcess.Options options() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return BrokerProcess.Options.of(directory.resolve("data"))
          .onPort(free.getLocalPort())
          .with(
              "group.initial.rebalance.delay.ms=0",
              "group.min.session.timeout.ms=500",
              "group.consumer.session.timeout.ms=1500",
              "group.consumer.min.session.timeout.ms=1500",
              "group.consumer.heartbeat.interval.ms=200",
              "group.consumer.min.heartbeat.interval.ms=200",
              "offsets.topic.num.partitions=3",
              "transaction.state.log.num.partitions=3",
              "transaction.abort.timed.out.transaction.cleanup.interval.ms=500");
    }
  }

  private static void createTopics(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(LoopWorker.INPUT, PARTITIONS, (short) 1),
                  new NewTopic(LoopWorker.OUTPUT, PARTITIONS, (short) 1)))
          .all()
          .get();
    }
  }

  private void await(String what, BooleanSupplier isSo) throws IOException {
    long deadline = System.nanoTime() + ROUND_LIMIT.toNanos();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "seed %d: %s did not come within %s; the workers said:%n%s"
                .formatted(SEED, what, ROUND_LIMIT, workersSaid()));
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private String workersSaid() throws IOException {
    StringBuilder said = new StringBuilder();
    for (int i = 0; i < WORKERS; i++) {
      List<String> lines = Files.readAllLines(directory.resolve("worker-" + i + ".log"));
      lines
          .subList(Math.max(0, lines.size() - 40), lines.size())
          .forEach(line -> said.append(line).append('\n'));
    }
    return said.toString();
  }
}
