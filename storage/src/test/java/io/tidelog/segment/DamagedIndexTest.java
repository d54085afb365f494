package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.AppendSource;
import io.tidelog.record.Compression;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An index that is wrong after a clean stop misleads nobody: every search answers what a scan of
 * the log says, the index is made again, and a person is told which file and which entry it was.
 */
class DamagedIndexTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "1400", "index.interval.bytes", "150");
  private static final int BATCHES = 30;

  /** Switched off, to make copies of; and a copy to look at. */
  private static SimDisk written;

  private static SimDisk sound;
  private static List<Path> logs;

  /** One index file of one segment. */
  private record Index(String suffix, Path log) {
    private Path path() {
      String name = log.getFileName().toString();
      return log.resolveSibling(name.replace(SegmentFiles.LOG, suffix));
    }

    private boolean isByOffset() {
      return suffix.equals(SegmentFiles.OFFSET_INDEX);
    }

    private int entryBytes() {
      return isByOffset() ? OffsetIndex.ENTRY_BYTES : TimeIndex.ENTRY_BYTES;
    }

    @Override
    public String toString() {
      return path().getFileName() + (log.equals(logs.get(logs.size() - 1)) ? ", active" : "");
    }
  }

  @Test
  void a_larger_interval_when_it_was_written_is_no_damage() throws IOException {
    Map<String, String> denser = Map.of("segment.bytes", "1400", "index.interval.bytes", "20");
    try (Lab lab = Lab.open(written.restart(2), DATA, denser)) {
      assertThat(Lab.entries(lab.orders(), 200)).hasSize(3 * BATCHES);
      lab.orders().offsetOfMaxTimestamp();
      assertThat(lab.events).isEmpty();
    }
  }

  @BeforeAll
  static void writeASoundLog() throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(DATA);
    try (Lab lab = lab(disk)) {
      for (int i = 0; i < BATCHES; i++) {
        long at = SimClock.START_MS - 10_000 + (i % 5 == 4 ? 100 : 200L * i);
        ByteBuffer batch = Produced.at(Compression.NONE, at, at, at - 50);
        lab.orders().append(batch, 0, AppendSource.CLIENT);
      }
    }
    written = disk;
    sound = written.restart(1);
    logs = new ArrayList<>();
    for (FullScan.Batch batch : FullScan.of(sound, FOLDER).batches()) {
      if (!logs.contains(batch.file())) {
        logs.add(batch.file());
      }
    }
    assertThat(logs).hasSize(3);
  }

  static Stream<Index> indexes() {
    return Stream.of(SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX)
        .flatMap(suffix -> logs.stream().map(log -> new Index(suffix, log)));
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void an_entry_that_points_past_the_log(Index index) throws IOException {
    SimDisk disk = written.restart(2);
    long entry = disk.sizeBytes(index.path()) / index.entryBytes();
    new Damage(disk).append(index.path(), pastTheLog(index));
    isMended(disk, index, "entry " + entry);
  }

  private static byte[] pastTheLog(Index index) throws IOException {
    ByteBuffer entry = ByteBuffer.allocate(index.entryBytes());
    return index.isByOffset()
        ? entry.putInt(1_000_000).putInt((int) sound.sizeBytes(index.log) + 100).array()
        : entry.putLong(SimClock.START_MS).putInt(1_000_000).array();
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void an_entry_that_points_into_a_batch(Index index) throws IOException {
    SimDisk disk = written.restart(3);
    int lastByte = (int) disk.sizeBytes(index.path()) - 1;
    byte position = new Damage(disk).bytes(index.path())[lastByte];
    new Damage(disk).write(index.path(), lastByte, (byte) (position - 1));
    isMended(disk, index, "entry " + lastByte / index.entryBytes());
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void a_length_that_is_not_a_whole_number_of_entries(Index index) throws IOException {
    SimDisk disk = written.restart(4);
    new Damage(disk).append(index.path(), (byte) 1, (byte) 2, (byte) 3);
    isMended(disk, index, "expected a multiple of " + index.entryBytes());
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void a_missing_file(Index index) throws IOException {
    SimDisk disk = written.restart(5);
    disk.delete(index.path());
    isMended(disk, index, "the file is missing");
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void an_empty_file(Index index) throws IOException {
    SimDisk disk = written.restart(6);
    new Damage(disk).cut(index.path(), 0);
    isMended(disk, index, "entry 0");
  }

  @ParameterizedTest
  @MethodSource("indexes")
  void zeros_after_the_last_entry_as_kafka_leaves_them_are_not_damage(Index index)
      throws IOException {
    for (int entries : new int[] {1, 3, 1000}) {
      SimDisk disk = written.restart(7);
      new Damage(disk).append(index.path(), new byte[entries * index.entryBytes()]);
      assertThat(eventsOfSearches(disk)).isEmpty();
    }
  }

  private static void isMended(SimDisk disk, Index index, String finding) throws IOException {
    assertThat(eventsOfSearches(disk))
        .singleElement()
        .asString()
        .startsWith("REPAIRED " + index.path())
        .contains(finding)
        .contains("rebuilt");
    assertThat(eventsOfSearches(disk)).as("after the next start").isEmpty();
    assertThat(new Damage(disk).bytes(index.path()))
        .isEqualTo(new Damage(sound).bytes(index.path()));
  }

  /** Opens, searches, closes; answers what was reported. */
  private static List<String> eventsOfSearches(SimDisk disk) throws IOException {
    try (Lab lab = lab(disk)) {
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
      return lab.events;
    }
  }

  private static Lab lab(SimDisk disk) throws IOException {
    return Lab.open(disk, DATA, SETTINGS);
  }

  /** What is read through a map may change, be cut or go while the log is open. */
  @ParameterizedTest
  @MethodSource("indexes")
  void harm_done_while_the_log_is_open_is_found_too(Index index) throws IOException {
    for (boolean isCut : new boolean[] {true, false}) {
      SimDisk disk = written.restart(2);
      try (Lab lab = lab(disk).harmed()) {
        lab.orders().offsetOfMaxTimestamp();
        FullScan.of(disk, FOLDER).agreesWith(lab.orders());
        Damage damage = new Damage(disk);
        int sizeBytes = (int) disk.sizeBytes(index.path());
        if (isCut) {
          damage.cut(index.path(), sizeBytes / 2);
        } else {
          damage.write(index.path(), 0, new byte[sizeBytes]);
        }
        FullScan.of(disk, FOLDER).agreesWith(lab.orders());
      }
    }
  }

  /** What a stop writes goes behind what was written before, if that is there. */
  @ParameterizedTest
  @MethodSource("indexes")
  void one_that_is_taken_away_while_the_log_is_open_keeps_no_stop_from_being_clean(Index index)
      throws IOException {
    Assumptions.assumeTrue(index.log.equals(logs.get(logs.size() - 1)), "stops write this one");
    for (boolean isCut : new boolean[] {true, false}) {
      SimDisk disk = written.restart(2);
      List<String> events;
      try (Lab lab = lab(disk)) {
        for (int i = 0; i < 3; i++) {
          ByteBuffer batch = Produced.at(Compression.NONE, SimClock.START_MS + i);
          lab.orders().append(batch, 0, AppendSource.CLIENT);
        }
        if (isCut) {
          new Damage(disk).cut(index.path(), 0);
        } else {
          disk.delete(index.path());
        }
        events = lab.events;
      }
      assertThat(events)
          .singleElement()
          .asString()
          .startsWith("REPAIRED " + index.path())
          .contains("rebuilt");
      assertThat(disk.exists(DATA.resolve(".kafka_cleanshutdown"))).isTrue();
      assertThat(eventsOfSearches(disk)).as("after the next start").isEmpty();
    }
  }
}
