package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.store.Damage;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checkpoint says that a log begins where it has ended already. */
class StartPastTheEndTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Path EPOCHS = FOLDER.resolve("leader-epoch-checkpoint");
  private static final Path STARTS = DATA.resolve("log-start-offset-checkpoint");
  private static final Path MARKER = DATA.resolve(".kafka_cleanshutdown");
  private static final Path RECOVERY_POINTS = DATA.resolve("recovery-point-offset-checkpoint");
  private static final int RECORDS = 10;
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "300", "retention.ms", "-1");

  private final SimDisk disk = new SimDisk(1);

  @BeforeEach
  void tenRecordsAndADamagedNumber() throws IOException {
    try (Lab lab = lab()) {
      for (int i = 0; i < RECORDS; i++) {
        Lab.append(lab.orders(), SimClock.START_MS, "value " + i);
      }
    }
    write("0\n1\norders 0 99999\n");
  }

  private void write(String starts) throws IOException {
    if (disk.exists(STARTS)) {
      disk.delete(STARTS);
    }
    try (DiskFile file = disk.create(STARTS)) {
      file.write(StandardCharsets.UTF_8.encode(starts), 0);
    }
  }

  private Lab lab() throws IOException {
    return Lab.open(disk, DATA, SETTINGS);
  }

  @Test
  void after_a_clean_stop_the_epochs_decide_where_only_they_can_be_right() throws IOException {
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS);
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains("begins at offset 0: log-start-offset-checkpoint says 99999");
    }
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void where_both_are_possible_that_partition_is_not_served_and_others_are() throws IOException {
    TopicPartition bills = new TopicPartition("bills", 0);
    disk.delete(STARTS);
    try (Lab lab = lab()) {
      lab.store.create(bills, Lab.ORDERS_ID, LogSettings.of(SETTINGS));
    }
    write("0\n1\norders 0 5\n");
    Map<String, Long> before = sizes();
    for (int start = 0; start < 2; start++) {
      try (Lab lab = lab().leaving(FindingKind.START_CONTRADICTED)) {
        assertThat(lab.events)
            .singleElement()
            .asString()
            .contains("FAILED orders-0 is not served: " + STARTS)
            .contains("says that orders-0 begins at offset 5", EPOCHS + " that it begins at 0");
        assertThatThrownBy(() -> Lab.values(lab.orders()))
            .isInstanceOf(LogClosedException.class)
            .hasMessageContaining("one of them is damaged");
        lab.store.enforceRetention();
        PartitionLog other = lab.store.find(bills).orElseThrow();
        long end = other.view().end();
        assertThat(Lab.append(other, SimClock.START_MS, "new").baseOffset()).isEqualTo(end);
      }
      assertThat(sizes()).isEqualTo(before);
    }
    write("0\n1\norders 0 0\n");
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS);
    }
  }

  /** Whichever number is wrong: nothing deleted comes back, and no segment is removed. */
  @Test
  void after_a_crash_the_higher_number_decides_and_what_it_alone_calls_deleted_is_kept()
      throws IOException {
    disk.delete(MARKER);
    write("0\n1\norders 0 5\n");
    long bytes = disk.sizeBytes(FOLDER.resolve("00000000000000000000.log"));
    try (Lab lab = lab()) {
      assertThat(lab.orders().view().start()).isEqualTo(5);
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS - 5);
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains("begins at offset 5", "says 5, its leader-epoch-checkpoint 0")
          .contains("the records from 0 to 4");
    }
    assertThat(disk.sizeBytes(FOLDER.resolve("00000000000000000000.log.0.cut"))).isEqualTo(bytes);
  }

  @Test
  void where_no_epochs_tell_the_end_of_the_log_does() throws IOException {
    disk.delete(EPOCHS);
    isRefused();
  }

  @Test
  void also_where_nothing_tells_the_recovery_point() throws IOException {
    disk.delete(EPOCHS);
    disk.delete(RECOVERY_POINTS);
    isRefused();
  }

  private void isRefused() throws IOException {
    Map<String, Long> before = sizes();
    try (Lab lab = lab().harmed()) {
      assertThat(lab.orders().isClosed()).isTrue();
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains("orders-0 is not served: " + STARTS)
          .contains("found start offset 99999 of orders-0", "expected at most 10")
          .contains("Restore the file, or take that line out");
    }
    assertThat(sizes()).isEqualTo(before);
    disk.delete(STARTS);
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS);
    }
  }

  private Map<String, Long> sizes() throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (String name : disk.list(FOLDER)) {
      sizes.put(name, disk.sizeBytes(FOLDER.resolve(name)));
    }
    return sizes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void after_a_crash_the_log_goes_on_there_and_what_was_cut_is_kept(boolean knowsRecoveryPoint)
      throws IOException {
    disk.delete(MARKER);
    if (!knowsRecoveryPoint) {
      disk.delete(RECOVERY_POINTS);
    }
    long bytes = disk.sizeBytes(FOLDER.resolve("00000000000000000004.log"));
    try (Lab lab = lab()) {
      assertThat(lab.events)
          .hasSize(2)
          .last()
          .asString()
          .contains(FOLDER + " ends at offset 10, but begins at 99999")
          .contains("log-start-offset-checkpoint", "goes on at 99999", "kept in")
          .contains("00000000000000000000.log.0.cut", "00000000000000000008.log.0.cut");
      assertThat(lab.orders().view().start()).isEqualTo(99_999);
      assertThat(Lab.append(lab.orders(), SimClock.START_MS, "new").baseOffset()).isEqualTo(99_999);
    }
    assertThat(disk.sizeBytes(FOLDER.resolve("00000000000000000004.log.0.cut"))).isEqualTo(bytes);
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
      assertThat(Lab.values(lab.orders())).containsExactly("new");
    }
  }

  /** All was deleted on request, and then the machine lost what it had not written yet. */
  @Test
  void after_a_crash_an_empty_log_leaves_nothing_to_keep() throws IOException {
    disk.delete(MARKER);
    disk.delete(RECOVERY_POINTS);
    for (String name : disk.list(FOLDER)) {
      if (name.endsWith(".log")) {
        new Damage(disk).cut(FOLDER.resolve(name), 0);
      }
    }
    try (Lab lab = lab()) {
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains("begins at 99999")
          .doesNotContain("kept");
      assertThat(disk.list(FOLDER)).noneMatch(name -> name.endsWith(".cut"));
    }
  }
}
