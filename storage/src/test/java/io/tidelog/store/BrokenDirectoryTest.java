package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.AppendSource;
import io.tidelog.record.Compression;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A data directory whose side files are not as they should be, or that cannot be written. */
class BrokenDirectoryTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Path MARKER = DATA.resolve(".kafka_cleanshutdown");
  private static final Path RECOVERY_POINTS = DATA.resolve("recovery-point-offset-checkpoint");
  private static final Path STARTS = DATA.resolve("log-start-offset-checkpoint");
  private static final Map<String, String> SETTINGS = Map.of("segment.bytes", "300");

  private final SimDisk disk = new SimDisk(1);

  @BeforeEach
  void writeTenRecords() throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = lab()) {
      for (int i = 0; i < 10; i++) {
        Lab.append(lab.orders(), SimClock.START_MS, "value " + i);
      }
      lab.orders().advanceStart(3);
    }
  }

  private Lab lab() throws IOException {
    return Lab.open(disk, DATA, SETTINGS);
  }

  /** Each bar in the text stands for the end of a line. */
  private void replace(Path path, String text) throws IOException {
    if (disk.exists(path)) {
      disk.delete(path);
    }
    try (DiskFile file = disk.create(path)) {
      file.write(StandardCharsets.UTF_8.encode(text.replace('|', '\n')), 0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1|0|", "0|1|orders 0|", "0|1|orders 0 -5|", "0|2|orders 0 7|", "zero|", ""})
  void without_legible_recovery_points_all_is_read_again_and_that_is_told(String text)
      throws IOException {
    replace(RECOVERY_POINTS, text);
    Path firstLog = FOLDER.resolve("00000000000000000000.log");
    new Damage(disk).invert(firstLog, (int) disk.sizeBytes(firstLog) - 1);
    try (Lab lab = lab()) {
      assertThat(lab.events.get(0)).contains(RECOVERY_POINTS + " line ").contains("read again");
      assertThat(lab.events.get(1)).contains(firstLog.toString());
      assertThat(lab.orders().view().end()).isLessThan(10);
      assertThat(lab.store.wasStoppedCleanly()).isFalse();
    }
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void without_any_recovery_points_a_clean_stop_is_still_one() throws IOException {
    disk.delete(RECOVERY_POINTS);
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).hasSize(7);
      assertThat(lab.events).isEmpty();
      assertThat(lab.store.wasStoppedCleanly()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1|0|", "0|1|orders 0 x|", "0|3|orders 0 3|", ""})
  void illegible_start_offsets_are_not_guessed(String text) throws IOException {
    replace(STARTS, text);
    isRefused(STARTS);
  }

  @Test
  void an_illegible_topic_id_is_not_guessed() throws IOException {
    replace(FOLDER.resolve("partition.metadata"), "version: 0|topic_id: nonsense");
    try (Lab lab = lab().leaving(FindingKind.TOPIC_ID_UNREADABLE)) {
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains(FOLDER + " has an unreadable partition.metadata (line 2: found ")
          .endsWith("), and no topic of its name is known; restore the file");
      assertThat(lab.orders().topicId()).isEqualTo(TopicId.ZERO);
      assertThat(Lab.values(lab.orders())).hasSize(7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0|2|3 0|2 5|", "junk"})
  void illegible_leader_epochs_are_found_again_in_the_batches(String text) throws IOException {
    Path file = FOLDER.resolve("leader-epoch-checkpoint");
    try (Lab lab = lab()) {
      for (int epoch = 4; epoch < 6; epoch++) {
        lab.orders()
            .append(
                Lab.batch(Compression.NONE, SimClock.START_MS, "value"),
                epoch,
                AppendSource.CLIENT);
      }
    }
    String before = text(file);
    replace(file, text);
    try (Lab lab = lab()) {
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains(file + " line ", "found again in the batches");
      assertThat(lab.orders().latestEpoch()).isEqualTo(5);
      assertThat(lab.orders().epochAt(10)).isEqualTo(4);
      assertThat(lab.orders().epochAt(9)).isZero();
    }
    assertThat(text(file)).isEqualTo(before);
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
    }
  }

  /** Without it nobody could say where an epoch ends. */
  @Test
  void missing_leader_epochs_are_found_again_in_the_batches() throws IOException {
    Path file = FOLDER.resolve("leader-epoch-checkpoint");
    String before = text(file);
    disk.delete(file);
    try (Lab lab = lab()) {
      assertThat(lab.events).singleElement().asString().contains(file + " is missing");
      assertThat(lab.orders().epochAt(9)).isZero();
    }
    assertThat(text(file)).isEqualTo(before);
  }

  /** Its last number may have had more digits. */
  @Test
  void a_checkpoint_that_was_cut_within_its_last_number_is_illegible() throws IOException {
    Path file = FOLDER.resolve("leader-epoch-checkpoint");
    String before = text(file);
    replace(file, "0|1|0 1");
    try (Lab lab = lab()) {
      assertThat(lab.events).singleElement().asString().contains(file + " line 3", "line feed");
    }
    assertThat(text(file)).isEqualTo(before);
  }

  /** Else they would contradict the start, and the next start would not serve the partition. */
  @Test
  void epochs_that_are_found_again_begin_where_the_log_does_though_its_first_batch_is_damaged()
      throws IOException {
    long start;
    try (Lab lab = lab()) {
      start = lab.orders().view().start();
    }
    FullScan.Batch first =
        FullScan.of(disk, FOLDER).batches().stream()
            .filter(batch -> batch.header().lastOffset() >= start)
            .findFirst()
            .orElseThrow();
    new Damage(disk).invert(first.file(), first.end() - 1);
    disk.delete(FOLDER.resolve("leader-epoch-checkpoint"));
    for (int times = 0; times < 2; times++) {
      try (Lab lab = lab().harmed()) {
        assertThat(Lab.values(lab.orders())).hasSize(6);
        assertThat(lab.orders().epochAt(start)).isZero();
      }
    }
  }

  /** No CRC covers it. */
  @Test
  void a_damaged_epoch_in_a_batch_that_is_read_again_does_not_hide_where_the_epochs_begin()
      throws IOException {
    FullScan.Batch middle = FullScan.of(disk, FOLDER).batches().get(5);
    new Damage(disk).invert(middle.file(), middle.position() + 15);
    new Damage(disk).forgetCleanStop(DATA);
    for (int times = 0; times < 2; times++) {
      try (Lab lab = lab().harmed()) {
        assertThat(Lab.values(lab.orders())).hasSize(7);
        assertThat(lab.orders().epochAt(lab.orders().view().start())).isZero();
      }
    }
  }

  private String text(Path path) throws IOException {
    try (DiskFile file = disk.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(bytes, 0);
      return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }
  }

  @Test
  void after_a_crash_empty_start_offsets_are_found_in_the_leader_epochs() throws IOException {
    replace(STARTS, "");
    disk.delete(MARKER);
    try (Lab lab = lab()) {
      assertThat(lab.events).hasSize(2);
      assertThat(lab.events.get(0)).contains(STARTS + " line 1: found \"\"", "was not clean");
      assertThat(lab.events.get(1)).contains(FOLDER + " begins at offset 3");
      assertThat(Lab.values(lab.orders())).hasSize(7);
    }
  }

  /** Kafka shows them again, and says nothing. */
  @Test
  void records_that_were_deleted_stay_so_though_their_start_is_lost_and_none_is_left()
      throws IOException {
    try (Lab lab = lab()) {
      lab.orders().advanceStart(10);
    }
    for (int times = 0; times < 2; times++) {
      try (Lab lab = lab()) { // what is known must not be forgotten by the next stop
        assertThat(lab.orders().view().start()).isEqualTo(10);
        assertThat(lab.events).isEmpty();
      }
    }
    disk.delete(STARTS);
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).isEmpty();
      assertThat(lab.events).singleElement().asString().contains(FOLDER + " begins at offset 10");
      assertThat(Lab.append(lab.orders(), SimClock.START_MS, "next").baseOffset()).isEqualTo(10);
    }
  }

  @Test
  void where_nothing_tells_what_was_deleted_it_is_shown_and_said() throws IOException {
    disk.delete(STARTS);
    disk.delete(FOLDER.resolve("leader-epoch-checkpoint"));
    try (Lab lab = lab()) {
      assertThat(lab.orders().view().start()).isZero();
      assertThat(lab.events)
          .anyMatch(event -> event.contains(FOLDER + " begins at offset 0, as its first log does"))
          .anyMatch(event -> event.contains("delete them again"));
    }
    try (Lab lab = lab()) {
      assertThat(lab.events).isEmpty();
    }
  }

  /** The store names the file and the line, changes nothing and lets go of everything. */
  private void isRefused(Path file) throws IOException {
    assertThatThrownBy(this::lab)
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining(file + " line ");
    disk.close();
    assertThat(disk.exists(MARKER)).isTrue();
    disk.delete(file);
    try (Lab lab = lab()) {
      assertThat(lab.orders().view().end()).isEqualTo(10);
    }
  }

  @Test
  void a_folder_without_a_topic_id_is_opened_without_one() throws IOException {
    disk.delete(FOLDER.resolve("partition.metadata"));
    try (Lab lab = lab().leaving(FindingKind.TOPIC_ID_MISSING)) {
      assertThat(lab.orders().topicId()).isEqualTo(TopicId.ZERO);
      assertThat(Lab.values(lab.orders())).hasSize(7);
    }
  }

  @Test
  void what_is_no_partition_is_left_alone() throws IOException {
    disk.createDirectories(DATA.resolve("lost+found"));
    disk.createDirectories(DATA.resolve("orders-0.abc-stray"));
    replace(DATA.resolve("notes-7"), "a file, not a folder");
    replace(FOLDER.resolve("notes.txt"), "mine");
    try (Lab lab = lab()) {
      assertThat(lab.store.partitions()).hasSize(1);
      assertThat(lab.events).singleElement().asString().contains("orders-0.abc-stray");
    }
    assertThat(disk.list(DATA)).contains("lost+found", "notes-7", "orders-0.abc-stray");
    assertThat(disk.list(FOLDER)).contains("notes.txt");
  }

  @Test
  void a_directory_that_cannot_be_written_is_named_and_nothing_is_held() throws IOException {
    WatchedDisk readOnly = new WatchedDisk(disk);
    readOnly.watch(
        (call, bytes) -> {
          switch (call.kind()) {
            case CREATE, WRITE, DELETE, RENAME, TRUNCATE, LOCK ->
                throw new AccessDeniedException(call.path().toString());
            default -> {}
          }
        });
    assertThatThrownBy(() -> Lab.open(readOnly, DATA, SETTINGS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(DATA.toString());
    disk.close();
    try (Lab lab = lab()) {
      assertThat(Lab.values(lab.orders())).hasSize(7);
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void whatever_call_of_a_start_fails_nothing_stays_open_and_the_next_one_finds_all()
      throws IOException {
    int failures = 0;
    for (long call = 1; ; call++) {
      SimDisk copy = copy();
      copy.failAtCall(call);
      try (Lab lab = Lab.open(copy, DATA, SETTINGS)) {
        assertThat(lab.orders().view().end()).isEqualTo(10);
        if (copy.calls() < call) {
          break;
        }
      } catch (IOException failed) {
        failures++;
      }
      copy.heal();
      copy.close();
      try (Lab lab = Lab.open(copy, DATA, SETTINGS)) {
        assertThat(Lab.values(lab.orders())).hasSize(7);
      }
    }
    assertThat(failures).isGreaterThan(20);
  }

  private SimDisk copy() {
    return disk.restart(1);
  }
}
