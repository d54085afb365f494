package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.DiskFile;
import io.tidelog.store.Damage;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
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
    disk.delete(STARTS);
    try (DiskFile file = disk.create(STARTS)) {
      file.write(StandardCharsets.UTF_8.encode("0\n1\norders 0 99999\n"), 0);
    }
  }

  private Lab lab() throws IOException {
    return Lab.open(disk, DATA, SETTINGS);
  }

  @Test
  void after_a_clean_stop_a_start_that_the_epochs_contradict_is_refused() throws IOException {
    Map<String, Long> before = sizes();
    assertThatThrownBy(this::lab)
        .isInstanceOf(ContradictedStartException.class)
        .hasMessageContaining(STARTS + " says that orders-0 begins at offset 99999")
        .hasMessageContaining(EPOCHS + " that it begins at 0");
    nothingIsChanged(before);
    disk.delete(STARTS);
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS);
      assertThat(lab.events).isEmpty();
    }
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
    assertThatThrownBy(this::lab)
        .isInstanceOf(ImplausibleStartException.class)
        .hasMessageContaining(STARTS + ": found start offset 99999 of orders-0")
        .hasMessageContaining("expected at most 10")
        .hasMessageContaining("Restore the file, or take that line out");
    nothingIsChanged(before);
    disk.delete(STARTS);
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).hasSize(RECORDS);
    }
  }

  private void nothingIsChanged(Map<String, Long> before) throws IOException {
    disk.close();
    assertThat(sizes()).isEqualTo(before);
    assertThat(disk.exists(MARKER)).isTrue();
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
          .singleElement()
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
