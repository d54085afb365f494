package io.tidelog.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.NioDisk;
import io.tidelog.producer.Batches.Sent;
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
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.BatchMetadata;
import org.apache.kafka.storage.internals.log.CompletedTxn;
import org.apache.kafka.storage.internals.log.LogOffsetMetadata;
import org.apache.kafka.storage.internals.log.ProducerAppendInfo;
import org.apache.kafka.storage.internals.log.ProducerStateEntry;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same random life of a partition under Kafka's ProducerStateManager and under ours. */
class ProducerStatesAgreeWithKafkaPropertyTest {
  private static final int EXPIRATION_MS = 1000;

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
            "INVALID_TXN_STATE");
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
    private ProducerStateManager kafka;
    private final ProducerStates ours = new ProducerStates(new TopicPartition("ours", 0));
    private ProducerSnapshots snapshots;
    private final TreeMap<Long, MemoryRecords> log = new TreeMap<>();
    private long end;

    Both(Path ourFolder, Path kafkaFolder) throws IOException {
      this.ourFolder = ourFolder;
      this.kafkaFolder = Files.createDirectories(kafkaFolder);
      this.snapshots = ProducerSnapshots.open(new NioDisk(), ourFolder);
      this.kafka = openKafka();
    }

    private ProducerStateManager openKafka() throws IOException {
      return new ProducerStateManager(
          new org.apache.kafka.common.TopicPartition("kafka", 0),
          kafkaFolder.toFile(),
          60_000,
          new ProducerStateManagerConfig(EXPIRATION_MS, false),
          Time.SYSTEM);
    }

    void live(List<Step> steps) throws IOException {
      for (Step step : steps) {
        switch (step.kind) {
          case SEND -> send(fitting(step), Sent::at);
          case SEND_IN_TRANSACTION -> send(fitting(step), Sent::inTransactionAt);
          case END_TRANSACTION -> endTransaction(step.batch);
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

    private void send(Sent sent, BiFunction<Sent, Long, MemoryRecords> form) {
      MemoryRecords records = form.apply(sent, end);
      String verdict = ourVerdict(records);
      assertThat(verdict).as("%s", sent).isEqualTo(kafkaVerdict(records));
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

    private String ourVerdict(MemoryRecords records) {
      try {
        return ours.check(Batches.ours(records), Origin.CLIENT)
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

    private String kafkaVerdict(MemoryRecords records) {
      RecordBatch batch = records.batches().iterator().next();
      Optional<BatchMetadata> duplicate =
          kafka.lastEntry(batch.producerId()).flatMap(entry -> duplicateIn(entry, batch));
      if (duplicate.isPresent()) {
        BatchMetadata written = duplicate.get();
        return "at "
            + written.firstOffset()
            + " to "
            + written.lastOffset()
            + " time "
            + written.timestamp();
      }
      try {
        takeIn(batch, AppendOrigin.CLIENT);
        return "written";
      } catch (OutOfOrderSequenceException e) {
        return "OUT_OF_ORDER_SEQUENCE";
      } catch (InvalidProducerEpochException e) {
        return "INVALID_PRODUCER_EPOCH";
      } catch (InvalidTxnStateException e) {
        return "INVALID_TXN_STATE";
      }
    }

    private Optional<BatchMetadata> duplicateIn(ProducerStateEntry entry, RecordBatch batch) {
      return entry.producerEpoch() != batch.producerEpoch()
          ? Optional.empty()
          : entry.batchMetadata().stream()
              .filter(
                  known ->
                      known.firstSeq() == batch.baseSequence()
                          && known.lastSeq() == batch.lastSequence())
              .findFirst();
    }

    private void takeIn(RecordBatch batch, AppendOrigin origin) {
      ProducerAppendInfo info = kafka.prepareUpdate(batch.producerId(), origin);
      Optional<CompletedTxn> completed =
          info.append(batch, Optional.of(new LogOffsetMetadata(batch.baseOffset())), (short) 0);
      kafka.update(info);
      completed.ifPresent(kafka::completeTxn);
    }

    private void endTransaction(Sent sent) {
      MemoryRecords records = Batches.marker(sent.producerId(), sent.epoch(), end, sent.sequence());
      takeIn(records.batches().iterator().next(), AppendOrigin.REPLICATION);
      ours.endTransaction(Batches.ours(records), sent.sequence());
      keep(records, 1);
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
      kafka = openKafka();
      replay();
    }

    private void replay() throws IOException {
      long from = snapshots.restore(ours, new OffsetRange(0, end), Long.MIN_VALUE).replayFrom();
      log.tailMap(from, true).values().forEach(this::replayOurs);
      kafka.truncateAndReload(0, end, 0);
      for (MemoryRecords records : log.tailMap(kafka.mapEndOffset(), true).values()) {
        takeIn(records.batches().iterator().next(), AppendOrigin.REPLICATION);
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
      return EndTransactionMarker.deserialize(marker.records().iterator().next())
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
