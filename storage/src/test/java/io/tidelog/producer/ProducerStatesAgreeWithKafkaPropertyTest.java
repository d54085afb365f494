package io.tidelog.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.NioDisk;
import io.tidelog.producer.Batches.Sent;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.record.Origin;
import io.tidelog.testkit.Property;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same random life of a partition under Kafka's ProducerStateManager and under ours. */
class ProducerStatesAgreeWithKafkaPropertyTest {
  private static final int EXPIRATION_MS = 1000;

  /** So late that no guard expires. */
  private static final long NOW_MS = Long.MAX_VALUE;

  @TempDir Path temporary;
  private int round;
  private final Set<String> verdicts = new TreeSet<>();

  private enum Kind {
    SEND,
    SEND_IN_TRANSACTION,
    END_TRANSACTION,
    SNAPSHOT,
    TRUNCATE,
    REOPEN,
    EXPIRE
  }

  /** Numbers are taken modulo what makes sense where the step is done. */
  private record Step(Kind kind, Sent batch, int number) {

    static Step random(RandomGenerator random) {
      int drawn = random.nextInt(30);
      Kind kind =
          drawn < 16
              ? Kind.SEND
              : drawn < 21
                  ? Kind.SEND_IN_TRANSACTION
                  : drawn < 23
                      ? Kind.END_TRANSACTION
                      : drawn < 26
                          ? Kind.SNAPSHOT
                          : drawn < 27 ? Kind.TRUNCATE : drawn < 28 ? Kind.REOPEN : Kind.EXPIRE;
      Sent batch =
          new Sent(
              random.nextInt(3),
              (short) (random.nextInt(8) / 3),
              sequence(random),
              1 + random.nextInt(3),
              random.nextInt(5000));
      return new Step(kind, batch, random.nextInt(10_000));
    }

    TransactionProtocol protocol() {
      return number % 3 == 0 ? TransactionProtocol.V2 : TransactionProtocol.V1;
    }

    private static int sequence(RandomGenerator random) {
      return random.nextInt(12) == 0 ? Integer.MAX_VALUE - random.nextInt(3) : random.nextInt(6);
    }
  }

  @Test
  void verdicts_states_and_snapshots_are_the_same() {
    Property.<Step>named("producer states do what Kafka's do")
        .runs(60)
        .operations(80, Step::random)
        .holds(this::live);
    assertThat(verdicts)
        .contains(
            "written",
            "at",
            "OUT_OF_ORDER_SEQUENCE",
            "INVALID_PRODUCER_EPOCH",
            "INVALID_TXN_STATE",
            "guarded",
            "open",
            "marker written",
            "marker INVALID_PRODUCER_EPOCH",
            "marker TRANSACTION_COORDINATOR_FENCED");
  }

  private void live(List<Step> steps) throws IOException {
    Path folder = Files.createDirectories(temporary.resolve("round" + round++));
    new Both(Files.createDirectories(folder.resolve("ours-0")), folder.resolve("kafka-0"))
        .live(steps);
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }

  private final class Both {
    private final Path ourFolder;
    private final Path kafkaFolder;
    private KafkaProducers theirs;
    private ProducerStateManager kafka;
    private ProducerStates ours = new ProducerStates(new TopicPartition("ours", 0));
    private ProducerSnapshots snapshots;
    private final TreeMap<Long, MemoryRecords> log = new TreeMap<>();
    private long end;
    private TransactionGuard guard = new TransactionGuard();

    Both(Path ourFolder, Path kafkaFolder) throws IOException {
      this.ourFolder = ourFolder;
      this.kafkaFolder = Files.createDirectories(kafkaFolder);
      this.snapshots = ProducerSnapshots.open(new NioDisk(), ourFolder);
      this.theirs = new KafkaProducers(kafkaFolder, EXPIRATION_MS);
      this.kafka = theirs.states;
    }

    void live(List<Step> steps) throws IOException {
      for (Step step : steps) {
        switch (step.kind) {
          case SEND -> send(fitting(step), Sent::at, TransactionGuard.NONE);
          case SEND_IN_TRANSACTION -> sendInTransaction(step);
          case END_TRANSACTION -> endTransaction(step);
          case SNAPSHOT -> snapshot();
          case TRUNCATE -> truncate(step.number);
          case REOPEN -> reopen();
          case EXPIRE -> {
            kafka.removeExpiredProducers(step.number);
            ours.removeExpired(step.number - EXPIRATION_MS);
          }
        }
        assertSame(step);
      }
    }

    /**
     * Half of all batches are the next ones of their producers, a quarter are of the same epoch.
     */
    private Sent fitting(Step step) {
      ProducerStateEntry entry = kafka.lastEntry(step.batch.producerId()).orElse(null);
      if (entry == null || step.number % 4 == 3) {
        return step.batch;
      }
      int next =
          entry.batchMetadata().stream()
              .reduce((older, newer) -> newer)
              .map(last -> last.lastSeq() == Integer.MAX_VALUE ? 0 : last.lastSeq() + 1)
              .orElse(0);
      Sent drawn = step.batch;
      int sequence = step.number % 4 < 2 ? next : Math.max(0, next - drawn.sequence() % 20);
      return new Sent(
          drawn.producerId(), entry.producerEpoch(), sequence, drawn.records(), drawn.timestamp());
    }

    /** Some come back without their guard, or with one that is void by now. */
    private void sendInTransaction(Step step) {
      Sent sent = fitting(step);
      String verdict = ourGuard(sent, step.protocol());
      assertThat(verdict).as("%s", sent).isEqualTo(theirs.guard(sent, step.protocol()));
      verdicts.add(verdict);
      if (step.number % 5 > 0 && !verdict.equals("INVALID_PRODUCER_EPOCH")) {
        send(sent, Sent::inTransactionAt, step.number % 7 == 0 ? TransactionGuard.NONE : guard);
      }
    }

    private String ourGuard(Sent sent, TransactionProtocol protocol) {
      try {
        Optional<TransactionGuard> needed = ours.guard(sent.first(protocol), NOW_MS);
        guard = needed.orElse(guard);
        return needed.isPresent() ? "guarded" : "open";
      } catch (ProducerStateException e) {
        return e.reason().toString();
      }
    }

    private void send(
        Sent sent, BiFunction<Sent, Long, MemoryRecords> form, TransactionGuard with) {
      MemoryRecords records = form.apply(sent, end);
      String verdict = ourVerdict(records, with);
      assertThat(verdict).as("%s", sent).isEqualTo(theirs.append(records, with == guard));
      verdicts.add(verdict.replaceAll(" .*", ""));
      if (verdict.equals("written")) {
        ours.apply(Batches.ours(records));
        keep(records, sent.records());
      }
    }

    private void keep(MemoryRecords records, int count) {
      log.put(end, records);
      end += count;
      kafka.updateMapEndOffset(end);
    }

    private String ourVerdict(MemoryRecords records, TransactionGuard with) {
      try {
        return ours.check(Batches.ours(records), Origin.CLIENT, with)
            .map(
                written ->
                    "at "
                        + written.baseOffset()
                        + " to "
                        + written.lastOffset()
                        + " time "
                        + written.timestampMs())
            .orElse("written");
      } catch (ProducerStateException e) {
        return e.reason().toString();
      }
    }

    private void endTransaction(Step step) {
      Sent sent = step.batch;
      MemoryRecords records = Batches.marker(sent.producerId(), sent.epoch(), end, sent.sequence());
      String verdict = theirs.appendMarker(records, step.protocol());
      assertThat(ourVerdict(step)).as("%s", step).isEqualTo(verdict);
      verdicts.add("marker " + verdict);
      if (verdict.equals("written")) {
        Optional<EndedTransaction> ended =
            ours.endTransaction(Batches.ours(records), sent.sequence());
        ended.ifPresent(
            transaction ->
                assertThat(transaction.lastStableOffset()).isEqualTo(theirs.lastStable()));
        keep(records, 1);
      }
    }

    private String ourVerdict(Step step) {
      Sent sent = step.batch;
      try {
        ours.check(
            new EndTransactionMarker(
                sent.producerId(), sent.epoch(), sent.sequence(), Outcome.COMMIT, step.protocol()));
        return "written";
      } catch (ProducerStateException e) {
        return e.reason().toString();
      }
    }

    private void snapshot() throws IOException {
      kafka.takeSnapshot(false);
      snapshots.write(end, ours);
    }

    private void truncate(int number) throws IOException {
      Long cut = log.isEmpty() ? null : log.floorKey(number % end);
      if (cut == null) {
        return;
      }
      end = cut;
      log.tailMap(end, true).clear();
      replay();
    }

    private void reopen() throws IOException {
      snapshots = ProducerSnapshots.open(new NioDisk(), ourFolder);
      ours = new ProducerStates(new TopicPartition("ours", 0));
      theirs = new KafkaProducers(kafkaFolder, EXPIRATION_MS);
      kafka = theirs.states;
      replay();
    }

    private void replay() throws IOException {
      long from = snapshots.restore(ours, new OffsetRange(0, end), Long.MIN_VALUE).replayFrom();
      log.tailMap(from, true).values().forEach(this::replayOurs);
      kafka.truncateAndReload(0, end, 0);
      for (MemoryRecords records : log.tailMap(kafka.mapEndOffset(), true).values()) {
        theirs.takeIn(
            records.batches().iterator().next(), AppendOrigin.REPLICATION, TransactionProtocol.V1);
      }
      kafka.updateMapEndOffset(end);
    }

    private void replayOurs(MemoryRecords records) {
      io.tidelog.record.RecordBatch batch = Batches.ours(records);
      if (batch.isControl()) {
        ours.endTransaction(batch, coordinatorEpoch(records));
      } else {
        ours.apply(batch);
      }
    }

    private int coordinatorEpoch(MemoryRecords marker) {
      return org.apache.kafka.common.record.internal.EndTransactionMarker.deserialize(
              marker.records().iterator().next())
          .coordinatorEpoch();
    }

    private void assertSame(Step step) throws IOException {
      Path kafkas = kafkaFolder.resolve("now");
      ProducerStateManager.writeSnapshot(kafkas.toFile(), kafka.activeProducers(), false);
      byte[] bytes = Files.readAllBytes(kafkas);
      Files.delete(kafkas);
      assertThat(ProducerSnapshot.encode(ours.all()).array()).as("after %s", step).isEqualTo(bytes);
      assertThat(ours.firstOpenTransaction()).isEqualTo(kafka.firstUndecidedOffset());
      assertThat(files(ourFolder)).as("after %s", step).isEqualTo(files(kafkaFolder));
    }

    private Map<String, String> files(Path folder) throws IOException {
      Map<String, String> files = new TreeMap<>();
      try (Stream<Path> all = Files.list(folder)) {
        for (Path file : (Iterable<Path>) all::iterator) {
          files.put(
              file.getFileName().toString(),
              java.util.HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
      }
      return files;
    }
  }
}
