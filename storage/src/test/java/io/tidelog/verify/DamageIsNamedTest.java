package io.tidelog.verify;

import static io.tidelog.verify.SoundDirectoriesAreSoundTest.batches;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.log.AppendSource;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Harm done by hand to a directory that was stopped cleanly is found where it is. */
class DamageIsNamedTest {
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "16384", "index.interval.bytes", "1024");
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");

  private SimDisk disk;
  private Damage damage;
  private List<FullScan.Batch> written;

  @BeforeEach
  void writeALog() throws IOException {
    disk = new SimDisk(1);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      for (ByteBuffer batch : batches(1, 200)) {
        lab.orders().append(batch, 4, AppendSource.CLIENT);
      }
    }
    damage = new Damage(disk);
    written = FullScan.of(disk, FOLDER).batches();
  }

  private List<Finding> findings() throws IOException {
    return verify(disk).atLeast(Severity.WARNING);
  }

  private static VerifyReport verify(Disk disk) throws IOException {
    return Verifier.verify(disk, DATA, VerifyOptions.batches());
  }

  private Finding theFinding(FindingKind kind) throws IOException {
    assertThat(findings()).singleElement().extracting(Finding::kind).isEqualTo(kind);
    return findings().get(0);
  }

  private Path index(String suffix) {
    return Path.of(written.get(0).file().toString().replace(".log", suffix));
  }

  @Test
  void a_flipped_bit_in_a_record_is_one_stretch_and_the_check_goes_on() throws IOException {
    FullScan.Batch victim = written.get(40);
    damage.invert(victim.file(), victim.position() + 70);

    Finding finding = theFinding(FindingKind.BATCH_DAMAGED);

    assertThat(finding.file()).isEqualTo(victim.file());
    assertThat(finding.position()).isEqualTo(victim.position());
    assertThat(finding.found()).startsWith("batch CRC 0x");
    assertThat(finding.offsets().orElseThrow().start())
        .isEqualTo(written.get(39).header().lastOffset() + 1);
    assertThat(finding.offsets().orElseThrow().end()).isEqualTo(victim.header().lastOffset() + 1);
    assertThat(verify(disk).batches()).isEqualTo(written.size() - 1);
  }

  @Test
  void a_clean_stop_leaves_the_largest_time_but_in_the_metadata_log() throws IOException {
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      Lab.append(lab.orders(), SimClock.START_MS, "this may get entries in both indexes");
      Lab.append(lab.orders(), SimClock.START_MS + 1, "this gets none but the closing one");
    }
    Path log = written.get(written.size() - 1).file();
    Path times = Path.of(log.toString().replace(".log", ".timeindex"));
    damage.cut(times, disk.sizeBytes(times) - 12);

    assertThat(theFinding(FindingKind.TIME_INDEX_INCOMPLETE).file()).isEqualTo(times);

    disk.rename(FOLDER, DATA.resolve("__cluster_metadata-0"));
    assertThat(verify(disk).findings())
        .extracting(Finding::kind)
        .doesNotContain(FindingKind.TIME_INDEX_INCOMPLETE);
  }

  @Test
  void a_wrong_length_costs_one_batch() throws IOException {
    FullScan.Batch victim = written.get(10);
    damage.write(victim.file(), victim.position() + 8, (byte) 0x7f);

    Finding finding = theFinding(FindingKind.BATCH_DAMAGED);

    assertThat(finding.found()).startsWith("batch length ");
    assertThat(verify(disk).batches()).isEqualTo(written.size() - 1);
  }

  @Test
  void after_a_clean_stop_a_cut_log_is_damage_with_the_offsets_that_are_gone() throws IOException {
    FullScan.Batch last = written.get(written.size() - 1);
    damage.cut(last.file(), last.position() + 30);

    assertThat(findings()).extracting(Finding::kind).contains(FindingKind.BATCH_DAMAGED);

    damage.cut(last.file(), last.position());
    assertThat(findings()).extracting(Finding::kind).contains(FindingKind.END_MISSING);
    Finding end =
        findings().stream().filter(f -> f.kind() == FindingKind.END_MISSING).findFirst().get();
    assertThat(end.offsets().orElseThrow().end()).isEqualTo(last.header().lastOffset() + 1);
  }

  @Test
  void a_base_offset_that_does_not_fit_is_told_with_the_one_that_does() throws IOException {
    FullScan.Batch victim = written.get(20);
    damage.write(victim.file(), victim.position(), (byte) 1);

    Finding finding = theFinding(FindingKind.BASE_OFFSET_WRONG);

    assertThat(finding.position()).isEqualTo(victim.position());
    assertThat(finding.expected()).isEqualTo("" + (written.get(19).header().lastOffset() + 1));
  }

  @Test
  void a_leader_epoch_that_does_not_fit_is_told() throws IOException {
    FullScan.Batch victim = written.get(20);
    damage.write(victim.file(), victim.position() + 12, (byte) 1);

    Finding finding = theFinding(FindingKind.EPOCH_FALLS);

    assertThat(finding.position()).isEqualTo(victim.position());
    assertThat(finding.expected()).isEqualTo("4 to 4");
  }

  /** H06 (a). */
  @Test
  void an_index_entry_past_the_end_of_the_log() throws IOException {
    long entry = disk.sizeBytes(index(".index")) / 8;
    int logBytes = (int) disk.sizeBytes(written.get(0).file());
    damage.append(
        index(".index"), ByteBuffer.allocate(8).putInt(1_000_000).putInt(logBytes + 100).array());

    Finding finding = theFinding(FindingKind.INDEX_WRONG);

    assertThat(finding.file()).isEqualTo(index(".index"));
    assertThat(finding.found()).startsWith("entry " + entry + ": position " + (logBytes + 100));
    assertThat(finding.expected()).contains("within the log's " + logBytes + " bytes");
  }

  /** H06 (b). */
  @Test
  void an_index_entry_into_the_middle_of_a_batch() throws IOException {
    int lastByte = (int) disk.sizeBytes(index(".index")) - 1;
    damage.write(index(".index"), lastByte, (byte) (damage.bytes(index(".index"))[lastByte] - 1));

    Finding finding = theFinding(FindingKind.INDEX_WRONG);

    assertThat(finding.found()).startsWith("entry " + lastByte / 8 + ": position ");
    assertThat(finding.expected()).isEqualTo("one at which a batch starts");
  }

  /** H06 (c). */
  @ParameterizedTest
  @ValueSource(strings = {".index", ".timeindex"})
  void an_index_whose_length_is_no_multiple_of_an_entrys(String suffix) throws IOException {
    damage.append(index(suffix), (byte) 1, (byte) 2, (byte) 3);

    assertThat(findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.file()).isEqualTo(index(suffix)))
        .satisfies(finding -> assertThat(finding.found()).contains("the file has 3 more"));
  }

  /** H06 (d). */
  @ParameterizedTest
  @ValueSource(strings = {".index", ".timeindex"})
  void an_index_that_is_missing(String suffix) throws IOException {
    disk.delete(index(suffix));

    assertThat(theFinding(FindingKind.INDEX_MISSING).file()).isEqualTo(index(suffix));
  }

  /** H06 (e). */
  @Test
  void an_empty_offset_index() throws IOException {
    damage.cut(index(".index"), 0);

    assertThat(theFinding(FindingKind.INDEX_EMPTY).file()).isEqualTo(index(".index"));
  }

  /** H06 (e). */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_time_index_that_is_empty_or_zeros(boolean isZeroed) throws IOException {
    int bytes = (int) disk.sizeBytes(index(".timeindex"));
    damage.cut(index(".timeindex"), 0);
    if (isZeroed) {
      damage.append(index(".timeindex"), new byte[bytes]);
    }

    Finding finding = theFinding(FindingKind.TIME_INDEX_INCOMPLETE);

    assertThat(finding.file()).isEqualTo(index(".timeindex"));
    assertThat(finding.found()).isEqualTo("no timestamp");
  }

  /** It has an entry for each one of the offset index, or Kafka's retention would err. */
  @ParameterizedTest
  @ValueSource(ints = {0, 12})
  void after_a_clean_stop_the_last_time_index_too_must_have_what_was_noted(int left)
      throws IOException {
    Path last = Path.of(lastLog().toString().replace(".log", ".timeindex"));
    int bytes = (int) disk.sizeBytes(last);
    assertThat(bytes).isGreaterThan(left);
    damage.cut(last, left);
    damage.append(last, new byte[bytes - left]);

    assertThat(theFinding(FindingKind.TIME_INDEX_INCOMPLETE).file()).isEqualTo(last);

    damage.forgetCleanStop(DATA);
    assertThat(findings()).isEmpty();
  }

  private Path lastLog() {
    return written.get(written.size() - 1).file();
  }

  /** H06 (f), and the room that Kafka sets aside. */
  @Test
  void an_entry_of_zeros_is_no_damage() throws IOException {
    Path last =
        Path.of(written.get(written.size() - 1).file().toString().replace(".log", ".index"));
    damage.cut(last, 0);
    damage.append(last, new byte[8]);
    assertThat(verify(disk).findings().stream().filter(f -> f.kind() == FindingKind.INDEX_WRONG))
        .isEmpty();

    damage.append(index(".index"), new byte[80]);
    damage.append(index(".timeindex"), new byte[120]);
    assertThat(verify(disk).findings().stream().map(Finding::file))
        .doesNotContain(index(".index"), index(".timeindex"));
  }

  @Test
  void a_missing_segment_is_told_by_its_index_and_by_the_gap() throws IOException {
    Path second =
        written.stream().map(FullScan.Batch::file).distinct().skip(1).findFirst().orElseThrow();
    disk.delete(second);

    Finding finding =
        findings().stream().filter(f -> f.kind() == FindingKind.LOG_MISSING).findFirst().get();

    assertThat(finding.file()).isEqualTo(second);
    assertThat(findings()).extracting(Finding::kind).contains(FindingKind.OFFSETS_MISSING);
  }

  @Test
  void a_gap_past_the_recovery_point_is_the_work_of_a_crash_until_the_next_start()
      throws IOException {
    Path second =
        written.stream().map(FullScan.Batch::file).distinct().skip(1).findFirst().orElseThrow();
    disk.delete(DATA.resolve(".kafka_cleanshutdown"));
    damage.cut(second, 0);
    for (String suffix : List.of(".index", ".timeindex")) {
      damage.cut(Path.of(second.toString().replace(".log", suffix)), 0);
    }

    assertThat(findings()).extracting(Finding::kind).contains(FindingKind.OFFSETS_MISSING);

    disk.delete(DATA.resolve("recovery-point-offset-checkpoint"));
    assertThat(findings()).extracting(Finding::kind).containsOnly(FindingKind.UNSYNCED_DAMAGE);
  }

  @Test
  void a_start_offset_past_the_end_is_damage() throws IOException {
    Path file = DATA.resolve("log-start-offset-checkpoint");
    if (disk.exists(file)) {
      disk.delete(file);
    }
    disk.create(file).close();
    damage.append(
        file, "0\n1\norders 0 99999999\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));

    assertThat(theFinding(FindingKind.START_PAST_END).found()).isEqualTo("orders-0 99999999");
  }
}
