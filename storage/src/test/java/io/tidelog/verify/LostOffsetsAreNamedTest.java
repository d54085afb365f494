package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.producer.OffsetRange;
import io.tidelog.store.FullScan;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A closed log that was emptied, cut between two batches or exchanged: cause and offsets. */
class LostOffsetsAreNamedTest {
  private HarmedLab lab;
  private Path first;
  private long end;

  @BeforeEach
  void writeALog() throws IOException {
    lab = new HarmedLab(new SimDisk(1), Path.of("/data"));
    first = lab.logs.get(0);
    end = lab.baseOffset(lab.logs.get(1));
  }

  private FullScan.Batch batch(int share) {
    List<FullScan.Batch> batches = lab.in(first);
    return batches.get(batches.size() * share / 100);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 50, 95})
  void what_is_cut_off_a_closed_log_is_damage_told_before_what_follows_from_it(int share)
      throws IOException {
    FullScan.Batch cut = batch(share);
    lab.damage.cut(first, cut.position());

    List<Finding> findings = lab.findings();

    Finding cause = findings.get(0);
    assertThat(cause.kind()).isEqualTo(FindingKind.OFFSETS_MISSING);
    assertThat(cause.severity()).isEqualTo(Severity.DAMAGE);
    assertThat(cause.file()).isEqualTo(first);
    assertThat(cause.position()).isEqualTo(cut.position());
    assertThat(cause.offsets()).contains(new OffsetRange(cut.header().baseOffset(), end));
    assertThat(findings.subList(1, findings.size()))
        .as("one for each index at most")
        .extracting(finding -> finding.kind().code())
        .doesNotHaveDuplicates()
        .isSubsetOf("index-wrong", "time-index-wrong");
  }

  @Test
  void a_log_that_was_compacted_is_held_against_its_index() throws IOException {
    lab.writeCheckpoint("cleaner-offset-checkpoint", 0);
    FullScan.Batch cut = batch(50);
    lab.damage.cut(first, cut.position());

    Finding cause = lab.findings().get(0);

    assertThat(cause.kind()).isEqualTo(FindingKind.OFFSETS_MISSING);
    assertThat(cause.offsets().orElseThrow().start()).isEqualTo(cut.header().baseOffset());
    assertThat(cause.offsets().orElseThrow().end()).isBetween(cut.header().lastOffset(), end);
    assertThat(cause.expected()).contains("as its index has it");
  }

  @Test
  void a_log_that_compaction_left_shorter_has_its_gap_rightly() throws IOException {
    lab.writeCheckpoint("cleaner-offset-checkpoint", 0);
    lab.damage.cut(first, 0);
    for (String suffix : List.of(".index", ".timeindex")) {
      lab.damage.cut(HarmedLab.beside(first, suffix), 0);
    }

    assertThat(lab.findings()).isEmpty();
  }

  @Test
  void exchanged_logs_are_told_as_that() throws IOException {
    Path second = lab.logs.get(1);
    Path aside = lab.folder.resolve("aside");
    lab.disk.rename(first, aside);
    lab.disk.rename(second, first);
    lab.disk.rename(aside, second);

    assertThat(lab.findings()).extracting(Finding::kind).containsOnly(FindingKind.LOG_EXCHANGED);
    assertThat(lab.findings()).extracting(Finding::file).containsExactly(first, second);
    assertThat(lab.findings().get(0).found()).isEqualTo("batches from offset %d on".formatted(end));
  }

  @Test
  void a_start_offset_that_a_broker_refuses_is_told() throws IOException {
    lab.writeCheckpoint("log-start-offset-checkpoint", end);

    assertThat(lab.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(FindingKind.START_CONTRADICTED))
        .satisfies(finding -> assertThat(finding.found()).isEqualTo("orders-0 " + end))
        .satisfies(finding -> assertThat(finding.offsets()).contains(new OffsetRange(0, end)));
  }

  @Test
  void a_partition_that_is_named_beside_its_directory_is_there_once() throws IOException {
    VerifyReport report =
        Verifier.verify(lab.disk, List.of(lab.data, lab.folder), VerifyOptions.batches());

    assertThat(report.isSound()).isTrue();
    assertThat(report.partitions()).isEqualTo(1);
  }

  @Test
  void a_length_is_not_told_as_a_line() throws IOException {
    lab.damage.append(lab.folder.resolve("partition.metadata"), new byte[5_000]);

    assertThat(lab.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.found()).matches("[0-9]+ bytes"));
  }
}
