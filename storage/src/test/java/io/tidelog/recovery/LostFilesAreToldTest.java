package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.store.Damage;
import io.tidelog.store.KafkaLog;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records that were durable and whose files are gone: one line says which, and no other record ever
 * gets their offsets.
 */
class LostFilesAreToldTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final int RECORDS = 10;
  private static final int PER_SEGMENT = 4;
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "300", "retention.ms", "-1");

  private final SimDisk disk = new SimDisk(1);

  @BeforeEach
  void tenRecordsInThreeSegments() throws IOException {
    try (Lab lab = lab()) {
      write(lab.orders());
      assertThat(lab.orders().segments())
          .extracting(s -> s.baseOffset())
          .containsExactly(0L, 4L, 8L);
    }
  }

  private static void write(PartitionLog log) throws IOException {
    for (int i = 0; i < RECORDS; i++) {
      Lab.append(log, SimClock.START_MS + i, "value " + i);
    }
  }

  private Lab lab() throws IOException {
    return Lab.open(disk, DATA, SETTINGS);
  }

  private static Path log(long baseOffset) {
    return FOLDER.resolve("%020d.log".formatted(baseOffset));
  }

  private static List<String> values(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "value " + i).toList();
  }

  enum Loss {
    REMOVED,
    EMPTIED;

    void of(SimDisk disk, Path file) throws IOException {
      switch (this) {
        case REMOVED -> disk.delete(file);
        case EMPTIED -> new Damage(disk).cut(file, 0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_active_log_after_a_clean_stop(Loss loss) throws IOException {
    loss.of(disk, log(8));
    theLogGoesOnAtTen(8);
  }

  /**
   * Where that which is missing was durable its offsets are not used again, as after a clean stop.
   */
  @ParameterizedTest
  @EnumSource
  void the_active_log_after_a_crash(Loss loss) throws IOException {
    disk.delete(DATA.resolve(".kafka_cleanshutdown"));
    loss.of(disk, log(8));
    theLogGoesOnAtTen(8);
  }

  @Test
  void the_last_batch_after_a_clean_stop() throws IOException {
    new Damage(disk).cut(log(8), disk.sizeBytes(log(8)) / 2);
    theLogGoesOnAtTen(9);
  }

  private void theLogGoesOnAtTen(int end) throws IOException {
    try (Lab lab = lab().leaving(FindingKind.OFFSETS_MISSING)) {
      assertThat(lab.events)
          .filteredOn(event -> !event.contains(".timeindex at byte")) // it names what is gone too
          .singleElement()
          .asString()
          .contains(FOLDER + " ends at offset " + end + ", expected at least 10")
          .contains(
              "recovery-point-offset-checkpoint", "no record from " + end + " to 9 can be read")
          .contains("goes on at 10", "stop, put the missing files in place again");
      assertThat(lab.orders().view().end()).isEqualTo(10);
      assertThat(lab.orders().read(end, 1000, ReadUpTo.LOG_END).sizeBytes()).isZero();
      assertThat(lab.orders().read(9, 1000, ReadUpTo.LOG_END).sizeBytes()).isZero();
      assertThat(Lab.append(lab.orders(), SimClock.START_MS, "new").baseOffset()).isEqualTo(10);
      List<Lab.Entry> entries = Lab.entries(lab.orders(), 50);
      assertThat(entries).hasSize(end + 1).last().extracting(Lab.Entry::offset).isEqualTo(10L);
      assertThat(entries.subList(0, end)).extracting(Lab.Entry::value).isEqualTo(values(0, end));
      lab.orders().flush();
      lab.store.saveCheckpoints();
    }
    disk.delete(DATA.resolve(".kafka_cleanshutdown"));
    try (Lab lab = lab().leaving(FindingKind.OFFSETS_MISSING)) {
      assertThat(lab.events).isEmpty();
      assertThat(lab.orders().view().end()).isEqualTo(11);
      assertThat(Lab.values(lab.orders())).hasSize(end + 1).endsWith("new");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4})
  void a_log_before_others(long base) throws IOException {
    disk.delete(log(base));
    try (Lab lab = lab().leaving(FindingKind.OFFSETS_MISSING)) {
      assertThat(lab.events)
          .filteredOn(event -> !event.contains(".timeindex at byte")) // it names what is gone too
          .singleElement()
          .asString()
          .contains(log(base) + " is missing, though its index was here")
          .contains("no record from offset %d to %d can be read".formatted(base, base + 3));
      assertThat(lab.orders().view().end()).isEqualTo(RECORDS);
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS - PER_SEGMENT);
    }
    try (Lab lab = lab().leaving(FindingKind.OFFSETS_MISSING)) {
      assertThat(lab.events).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3})
  void the_end_of_a_log_before_others_is_told_when_it_is_read(int batchesLeft) throws IOException {
    Path index = log(4).resolveSibling("%020d.timeindex".formatted(4));
    byte[] evidence = new Damage(disk).bytes(index);
    long bytesLeft = disk.sizeBytes(log(4)) / PER_SEGMENT * batchesLeft;
    new Damage(disk).cut(log(4), bytesLeft);
    try (Lab lab = lab().leaving(FindingKind.OFFSETS_MISSING)) {
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS - PER_SEGMENT + batchesLeft);
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains(
              log(4) + " has %d bytes and ends at offset %d".formatted(bytesLeft, 4 + batchesLeft))
          .contains("no record from %d to 7 can be read".formatted(4 + batchesLeft))
          .doesNotContain("rebuilt");
    }
    Path kept = index.resolveSibling(index.getFileName() + "." + bytesLeft + ".cut");
    assertThat(new Damage(disk).bytes(kept)).isEqualTo(evidence);
    try (Lab lab = lab().leaving(FindingKind.OFFSETS_MISSING)) {
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS - PER_SEGMENT + batchesLeft);
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void a_log_below_the_start_is_not_missed() throws IOException {
    try (Lab lab = lab()) {
      lab.orders().advanceStart(5);
    }
    disk.delete(log(0));
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
      assertThat(Lab.values(lab.orders())).isEqualTo(values(5, RECORDS));
    }
  }

  @Test
  void all_logs_of_a_folder() throws IOException {
    for (long base : new long[] {0, 4, 8}) {
      disk.delete(log(base));
    }
    try (Lab lab = lab()) {
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains(FOLDER + " holds no .log file, expected those up to offset 10");
      assertThat(lab.orders().view().start()).isEqualTo(10);
      assertThat(Lab.append(lab.orders(), SimClock.START_MS, "new").baseOffset()).isEqualTo(10);
    }
  }

  @Test
  void a_partitions_folder() throws IOException {
    for (String name : disk.list(FOLDER)) {
      disk.delete(FOLDER.resolve(name));
    }
    disk.delete(FOLDER);
    try (Lab lab = lab()) {
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains(FOLDER + " is missing", "records up to offset 9")
          .contains("recovery-point-offset-checkpoint", "put it in place again");
    }
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void the_folder_of_a_partition_that_was_being_deleted_at_a_crash_is_not_missed()
      throws IOException {
    TopicPartition bills = new TopicPartition("bills", 0);
    try (Lab lab = lab()) {
      write(lab.store.create(bills, Lab.ORDERS_ID, LogSettings.of(SETTINGS)));
    }
    disk.delete(DATA.resolve(".kafka_cleanshutdown"));
    disk.rename(DATA.resolve("bills-0"), DATA.resolve("bills-0.abc-delete"));
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
      assertThat(lab.store.find(bills)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void kafka_opens_a_folder_in_which_the_log_went_on(boolean afterCleanStop, @TempDir Path real)
      throws IOException {
    Path folder = real.resolve("orders-0");
    try (Lab lab = Lab.open(new NioDisk(), real, SETTINGS)) {
      write(lab.orders());
    }
    Files.delete(folder.resolve("%020d.log".formatted(8)));
    List<Lab.Entry> ours;
    try (Lab lab = Lab.open(new NioDisk(), real, SETTINGS).leaving(FindingKind.OFFSETS_MISSING)) {
      Lab.append(lab.orders(), SimClock.START_MS, "new");
      ours = Lab.entries(lab.orders(), 1000);
    }
    assertThat(ours).hasSize(9);
    try (KafkaLog kafka =
        afterCleanStop
            ? KafkaLog.openClean(folder, Lab.ORDERS_ID, SETTINGS)
            : KafkaLog.openUnclean(folder, Lab.ORDERS_ID, SETTINGS)) {
      kafka.checkIndexes();
      assertThat(kafka.end()).isEqualTo(11);
      assertThat(kafka.entries()).isEqualTo(ours);
    }
  }
}
