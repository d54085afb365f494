package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.store.Damage;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.store.Produced.Producer;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots and lists of aborted transactions are compared with what the batches say. */
class ProducersAndTransactionsTest {
  private static final Map<String, String> SETTINGS = Map.of("segment.bytes", "2000");
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Producer ONE = new Producer(7, (short) 0);
  private static final Producer TWO = new Producer(8, (short) 2);

  private SimDisk disk;
  private Damage damage;

  @BeforeEach
  void writeTransactions() throws IOException {
    disk = new SimDisk(3);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      PartitionLog log = lab.orders();
      for (int i = 0; i < 12; i++) {
        Produced.beginTransaction(log, new Producer(ONE.id(), (short) i), 0, SimClock.START_MS);
        log.append(Produced.by(TWO, 2 * i, SimClock.START_MS, 2), 0, AppendSource.CLIENT);
        log.appendMarker(
            new EndTransactionMarker(
                ONE.id(),
                (short) i,
                0,
                i % 3 == 0 ? Outcome.COMMIT : Outcome.ABORT,
                TransactionProtocol.V1),
            0);
      }
    }
    damage = new Damage(disk);
  }

  private List<Finding> findings() throws IOException {
    return Verifier.verify(disk, DATA, VerifyOptions.deep()).findings();
  }

  private List<Path> files(String suffix) throws IOException {
    return disk.list(FOLDER).stream()
        .filter(name -> name.endsWith(suffix))
        .map(FOLDER::resolve)
        .toList();
  }

  @Test
  void sound_ones_give_no_finding() throws IOException {
    assertThat(files(".txnindex")).hasSizeGreaterThan(1);
    assertThat(files(".snapshot")).hasSizeGreaterThan(1);
    assertThat(findings()).isEmpty();
  }

  @Test
  void a_cut_list_of_aborted_transactions_is_told() throws IOException {
    Path file = files(".txnindex").get(0);
    damage.cut(file, disk.sizeBytes(file) - 34);

    assertThat(findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(FindingKind.TXN_INDEX_WRONG))
        .satisfies(finding -> assertThat(finding.found()).isEqualTo("no entry"));
  }

  @Test
  void a_missing_list_of_aborted_transactions_is_told() throws IOException {
    Path file = files(".txnindex").get(0);
    long entries = disk.sizeBytes(file) / 34;
    disk.delete(file);

    assertThat(findings()).hasSize((int) entries);
    assertThat(findings()).extracting(Finding::file).containsOnly(file);
  }

  @Test
  void a_wrong_entry_is_told_with_the_right_one() throws IOException {
    Path file = files(".txnindex").get(0);
    damage.invert(file, 17);

    assertThat(findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(FindingKind.TXN_INDEX_WRONG))
        .satisfies(finding -> assertThat(finding.expected()).startsWith("producer 7 from "));
  }

  @Test
  void a_damaged_snapshot_is_told() throws IOException {
    Path file = files(".snapshot").get(0);
    damage.invert(file, 20);

    assertThat(findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(FindingKind.SNAPSHOT_DAMAGED))
        .satisfies(finding -> assertThat(finding.file()).isEqualTo(file))
        .satisfies(finding -> assertThat(finding.found()).startsWith("CRC 0x"));
  }

  @Test
  void a_snapshot_of_another_time_is_told() throws IOException {
    List<Path> files = files(".snapshot");
    byte[] early = damage.bytes(files.get(0));
    Path last = files.get(files.size() - 1);
    disk.delete(last);
    try (DiskFile file = disk.create(last)) {
      file.write(ByteBuffer.wrap(early), 0);
    }

    assertThat(findings()).extracting(Finding::kind).containsOnly(FindingKind.SNAPSHOT_WRONG);
    assertThat(findings().get(0).file()).isEqualTo(last);
  }

  @Test
  void without_any_snapshot_kafka_would_know_no_producer() throws IOException {
    for (Path file : files(".snapshot")) {
      disk.delete(file);
    }

    assertThat(findings())
        .singleElement()
        .extracting(Finding::kind)
        .isEqualTo(FindingKind.SNAPSHOT_MISSING);
  }
}
