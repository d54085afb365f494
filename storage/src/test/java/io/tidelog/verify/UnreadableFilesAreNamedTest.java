package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that cannot be read is named, once, and nothing is concluded from what it may hold. */
class UnreadableFilesAreNamedTest {
  private static final long TOO_MANY_BYTES = 5L << 30;

  private static void replace(Disk disk, Path file) throws IOException {
    disk.delete(file);
    disk.createDirectories(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {".log", ".index", ".timeindex"})
  void a_directory_in_the_place_of_a_segments_file(String suffix, @TempDir Path data)
      throws IOException {
    for (Disk disk : List.of(new SimDisk(1), new NioDisk())) {
      HarmedLab lab = new HarmedLab(disk, data);
      Path file = HarmedLab.beside(lab.logs.get(0), suffix);
      replace(disk, file);

      requireOneFinding(lab, file);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders-0/leader-epoch-checkpoint",
        "orders-0/partition.metadata",
        "recovery-point-offset-checkpoint",
        "replication-offset-checkpoint",
        ".kafka_cleanshutdown"
      })
  void a_directory_in_the_place_of_a_side_file(String name, @TempDir Path data) throws IOException {
    for (Disk disk : List.of(new SimDisk(1), new NioDisk())) {
      HarmedLab lab = new HarmedLab(disk, data);
      replace(disk, data.resolve(name));

      requireOneFinding(lab, data.resolve(name));
    }
  }

  @Test
  void the_last_log_too(@TempDir Path data) throws IOException {
    HarmedLab lab = new HarmedLab(new NioDisk(), data);
    Path last = lab.logs.get(lab.logs.size() - 1);
    replace(lab.disk, last);

    requireOneFinding(lab, last);
  }

  @Test
  void the_rest_is_checked(@TempDir Path data) throws IOException {
    HarmedLab lab = new HarmedLab(new NioDisk(), data);
    Path first = lab.logs.get(0);
    replace(lab.disk, HarmedLab.beside(first, ".index"));
    replace(lab.disk, lab.data.resolve("recovery-point-offset-checkpoint"));
    lab.damage.invert(first, 70);

    assertThat(lab.findings())
        .extracting(Finding::kind)
        .containsExactly(FindingKind.UNREADABLE, FindingKind.BATCH_DAMAGED, FindingKind.UNREADABLE);
  }

  private static void requireOneFinding(HarmedLab lab, Path file) throws IOException {
    assertThat(lab.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(FindingKind.UNREADABLE))
        .satisfies(finding -> assertThat(finding.file()).isEqualTo(file))
        .satisfies(finding -> assertThat(finding.found()).isEqualTo("a directory"));
  }

  /** Sparse files, so that they cost no room; to read them would take minutes. */
  @ParameterizedTest
  @Timeout(60)
  @CsvSource({
    ".log, log-too-large",
    ".index, index-wrong",
    ".timeindex, time-index-wrong",
    ".txnindex, txn-index-wrong",
    ".snapshot, snapshot-damaged"
  })
  void what_is_larger_than_it_can_be_is_one_finding(String suffix, String code, @TempDir Path data)
      throws IOException {
    HarmedLab lab = new HarmedLab(new NioDisk(), data);
    Path file = HarmedLab.beside(lab.logs.get(1), suffix);
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.setLength(TOO_MANY_BYTES);
    }

    assertThat(lab.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind().code()).isEqualTo(code))
        .satisfies(finding -> assertThat(finding.file()).isEqualTo(file))
        .satisfies(finding -> assertThat(finding.found()).isEqualTo(TOO_MANY_BYTES + " bytes"));
  }

  /** Zeros are unused room only if nothing follows them, which takes a look at all of them. */
  @ParameterizedTest
  @Timeout(60)
  @ValueSource(strings = {".index", ".timeindex"})
  void an_index_of_zeros_with_one_entry_at_its_end_is_one_finding(String suffix, @TempDir Path data)
      throws IOException {
    HarmedLab lab = new HarmedLab(new NioDisk(), data);
    Path file = HarmedLab.beside(lab.logs.get(0), suffix);
    try (RandomAccessFile zeros = new RandomAccessFile(file.toFile(), "rw")) {
      zeros.setLength(24 << 20);
      zeros.seek((24 << 20) - 1);
      zeros.write(1);
    }

    assertThat(lab.findings()).singleElement().extracting(Finding::file).isEqualTo(file);
  }
}
