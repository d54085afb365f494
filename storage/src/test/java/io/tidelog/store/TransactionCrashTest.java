package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Power cuts at every disk call of a log with transactions: what is left afterwards (last stable
 * offset, aborted lists, {@code .txnindex}) is what a reading of the whole log says.
 */
class TransactionCrashTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Map<String, String> FSYNC =
      Map.of(
          "segment.bytes", "600",
          "index.interval.bytes", "100",
          "retention.ms", "-1",
          "file.delete.delay.ms", "0",
          "tidelog.durability", "fsync");

  @Test
  void a_life_with_rolls_and_a_clean_stop() throws Exception {
    long cuts =
        CrashSweep.<Long>of(TransactionCrashTest::live)
            .startingWith(disk -> disk.createDirectories(DATA))
            .seeds(5)
            .afterEachCut(TransactionCrashTest::checkAndGoOn);
    assertThat(cuts).isGreaterThan(80);
  }

  @Test
  void cutting_the_end_off() throws Exception {
    CrashSweep.<Long>of(
            (disk, acknowledge) -> {
              Lab lab = lab(disk);
              lab.orders().truncateTo(14);
              acknowledge.accept(14L);
              end(lab, new Writers(), 12, Outcome.ABORT);
              lab.scheduler.runDue();
              acknowledge.accept(lab.orders().view().highWatermark());
              lab.close();
            })
        .startingWith(TransactionCrashTest::lived)
        .seeds(5)
        .afterEachCut((disk, acknowledged) -> checkAndGoOn(disk, List.of(14L)));
  }

  @Test
  void deleting_the_start_inside_of_a_transaction() throws Exception {
    CrashSweep.<Long>of(
            (disk, acknowledge) -> {
              Lab lab = lab(disk);
              for (long start = 3; start < 20; start += 5) {
                lab.orders().advanceStart(start);
                lab.store.enforceRetention();
                lab.scheduler.runDue();
              }
              lab.close();
            })
        .startingWith(TransactionCrashTest::lived)
        .seeds(5)
        .afterEachCut(TransactionCrashTest::checkReads);
  }

  @Test
  void recovery_itself() throws Exception {
    CrashSweep.<Long>of((disk, acknowledge) -> lab(disk).close())
        .startingWith(
            disk -> {
              lived(disk);
              disk.delete(DATA.resolve(".kafka_cleanshutdown"));
              disk.delete(DATA.resolve("recovery-point-offset-checkpoint"));
            })
        .seeds(5)
        .afterEachCut(TransactionCrashTest::checkAndGoOn);
  }

  @Test
  void finding_again_what_a_damaged_index_lacks() throws Exception {
    CrashSweep.<Long>of((disk, acknowledge) -> lab(disk).close())
        .startingWith(
            disk -> {
              lived(disk);
              for (String name : disk.list(FOLDER)) {
                if (name.endsWith(".txnindex")) {
                  new Damage(disk).cut(FOLDER.resolve(name), 33);
                }
              }
            })
        .seeds(5)
        .afterEachCut(TransactionCrashTest::checkAndGoOn);
  }

  private static void lived(SimDisk disk) throws IOException {
    disk.createDirectories(DATA);
    live(disk, acknowledged -> {});
  }

  /** Transactions that overlap each other and the ends of segments; that of 14 stays open. */
  private static void live(SimDisk disk, Consumer<Long> acknowledge) throws IOException {
    Lab lab = lab(disk);
    Writers writers = new Writers();
    for (int round = 0; round < 3; round++) {
      begin(lab, writers, 11);
      writers.plain(2, SimClock.START_MS).to(lab.orders(), 0);
      begin(lab, writers, 12);
      end(lab, writers, 11, Outcome.ABORT);
      begin(lab, writers, 13 + round % 2);
      begin(lab, writers, 12);
      lab.scheduler.runDue();
      acknowledge.accept(lab.orders().view().highWatermark());
      end(lab, writers, 13, Outcome.COMMIT);
      end(lab, writers, 12, Outcome.ABORT);
    }
    long end = lab.orders().view().end();
    lab.close();
    acknowledge.accept(end);
  }

  private static void begin(Lab lab, Writers writers, long producer) throws IOException {
    writers.transactional(producer, 1, SimClock.START_MS).to(lab.orders(), 0);
  }

  private static void end(Lab lab, Writers writers, long producer, Outcome outcome)
      throws IOException {
    lab.orders().appendMarker(writers.end(producer, outcome, TransactionProtocol.V1), 0);
  }

  private static void checkAndGoOn(SimDisk disk, List<Long> acknowledged) throws IOException {
    long durable = acknowledged.stream().mapToLong(Long::longValue).max().orElse(0);
    try (Lab lab = lab(disk).leaving(FindingKind.TOPIC_ID_MISSING)) {
      assertThat(lab.orders().view().end()).isGreaterThanOrEqualTo(durable);
      agreesWithReplay(disk, lab.orders());
      Writers writers = new Writers();
      for (int generation = 0; generation < 9; generation++) {
        writers.newEpoch(12);
      }
      begin(lab, writers, 12);
      agreesWithReplay(disk, lab.orders());
      end(lab, writers, 12, Outcome.ABORT);
    }
    try (Lab lab = lab(disk).leaving(FindingKind.TOPIC_ID_MISSING)) {
      assertThat(lab.events).isEmpty();
      agreesWithReplay(disk, lab.orders());
    }
    assertThat(disk.list(FOLDER)).noneMatch(name -> name.matches(".*\\.(tmp|new|deleted)"));
  }

  private static void agreesWithReplay(SimDisk disk, PartitionLog log) throws IOException {
    FullReplay replay = FullReplay.of(disk, FOLDER);
    assertThat(FullReplay.indexes(disk, FOLDER)).isEqualTo(replay.aborted());
    assertThat(log.view().stable())
        .isEqualTo(Math.min(log.view().highWatermark(), replay.lastStable()));
    readsAgree(log, replay);
  }

  /** Each read is told of the aborted transactions that reach into it. */
  private static void readsAgree(PartitionLog log, FullReplay replay) throws IOException {
    for (long offset = log.view().start(); offset < log.view().stable(); offset++) {
      for (int maxBytes : new int[] {1, 100_000}) {
        io.tidelog.log.LogSlice slice = log.read(offset, maxBytes, ReadUpTo.LAST_STABLE_OFFSET);
        java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate(slice.sizeBytes());
        slice.read(bytes, 0);
        slice.release();
        long from = offset;
        long to = Lab.addEntries(bytes.flip(), offset, new java.util.ArrayList<>());
        assertThat(slice.aborted())
            .as("aborted in what is read from %d to %d", from, to)
            .isEqualTo(
                replay.aborted().values().stream()
                    .flatMap(List::stream)
                    .filter(each -> each.lastOffset() >= from && each.firstOffset() < to)
                    .toList());
      }
    }
  }

  /** The start of a transaction may be gone, and with it what a reading of the log could tell. */
  private static void checkReads(SimDisk disk, List<Long> acknowledged) throws IOException {
    try (Lab lab = lab(disk).leaving(FindingKind.TOPIC_ID_MISSING)) {
      CommittedReader client = CommittedReader.honest();
      PartitionLog log = lab.orders();
      for (long offset = log.view().start(); offset < log.view().stable(); offset++) {
        for (String value :
            client.fetch(log, offset, 1, ReadUpTo.LAST_STABLE_OFFSET).records().values()) {
          assertThat(COMMITTED).contains(value);
        }
      }
    }
  }

  /** The records of {@link #live} that are not part of an aborted transaction. */
  private static final List<String> COMMITTED =
      List.of("r1", "r2", "r4", "r7", "r8", "r13", "r14", "r16");

  private static Lab lab(SimDisk disk) throws IOException {
    return Lab.open(disk, DATA, FSYNC);
  }
}
