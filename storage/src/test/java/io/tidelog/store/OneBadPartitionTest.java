package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.compaction.CompactionPlan;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What stands in the way of one partition's compaction stops no other, and only as long as it is
 * there.
 */
class OneBadPartitionTest {
  private static final Path DATA = Path.of("/data");
  private static final TopicPartition X = Lab.ORDERS;
  private static final TopicPartition Y = new TopicPartition("y", 0);
  private static final Map<String, String> COMPACT =
      Map.of("cleanup.policy", "compact", "segment.bytes", "500", "index.interval.bytes", "100");

  private final SimDisk disk = new SimDisk(1);

  private static Lab lab(SimDisk disk, Map<String, String> settings) throws IOException {
    disk.createDirectories(DATA);
    return Lab.open(disk, DATA, settings);
  }

  private static PartitionLog y(Lab lab) throws IOException {
    return lab.store.find(Y).isPresent()
        ? lab.store.find(Y).get()
        : lab.store.create(Y, new TopicId(1, 2), LogSettings.of(COMPACT));
  }

  private static void fill(PartitionLog log, long nowMs) throws IOException {
    for (int i = 0; i < 60; i++) {
      Lab.append(log, nowMs, "k" + i % 4 + ":v" + i);
    }
  }

  /** Flips a bit of a record in a closed segment. */
  private void flip(Segment segment, int position) throws IOException {
    try (DiskFile file = disk.open(segment.path(SegmentFiles.LOG))) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, position);
      file.write(one.put(0, (byte) (one.get(0) ^ 1)).flip(), position);
    }
  }

  @Test
  void damage_is_told_with_file_and_position_and_compaction_goes_on_once_it_is_repaired()
      throws IOException {
    try (Lab lab = lab(disk, COMPACT)) {
      PartitionLog x = lab.orders();
      PartitionLog y = y(lab);
      fill(x, lab.clock.millis());
      fill(y, lab.clock.millis());
      Segment bad = x.segments().get(1);
      flip(bad, 70);

      lab.scheduler.advanceMs(15_000);

      assertThat(lab.store.compactor().uncleanable())
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.partition()).isEqualTo(X);
                assertThat(found.file()).isEqualTo(bad.path(SegmentFiles.LOG));
                assertThat(found.position()).isZero();
              });
      assertThat(lab.events)
          .filteredOn(event -> event.startsWith("UNCLEANABLE"))
          .singleElement()
          .asString()
          .contains("orders-0 cannot be compacted", bad.path(SegmentFiles.LOG) + " at byte 0");
      assertThat(plan(lab, Y).dirtyBytes()).isZero();
      assertThat(disk.list(x.directory())).noneMatch(name -> name.endsWith(".cleaned"));

      long calls = disk.changes();
      lab.scheduler.advanceMs(10 * 15_000);
      assertThat(plan(lab, X).verdict()).isEqualTo(CompactionPlan.Verdict.DUE_BY_RATIO);
      assertThat(disk.changes() - calls).as("it does not try again and again").isLessThan(60);

      flip(bad, 70);
      lab.clock.advanceMs(1);
      disk.setModifiedMs(bad.path(SegmentFiles.LOG), lab.clock.millis());
      lab.scheduler.advanceMs(15_000);
      assertThat(lab.store.compactor().uncleanable()).isEmpty();
      assertThat(plan(lab, X).dirtyBytes()).isZero();
      assertThat(Lab.values(x)).hasSizeLessThan(30).endsWith("v59");
    }
  }

  @Test
  void records_without_key_from_before_the_log_was_compacted_stop_nothing() throws IOException {
    Map<String, String> before = new HashMap<>(COMPACT);
    before.put("cleanup.policy", "delete");
    try (Lab lab = lab(disk, before)) {
      PartitionLog x = lab.orders();
      PartitionLog y = y(lab);
      for (int i = 0; i < 60; i++) {
        Lab.append(x, lab.clock.millis(), "keyless" + i, "k:v" + i);
      }
      fill(y, lab.clock.millis());
      x.apply(LogSettings.of(COMPACT));
      lab.scheduler.advanceMs(15_000);

      assertThat(lab.store.compactor().uncleanable()).isEmpty();
      assertThat(plan(lab, X).dirtyBytes()).isZero();
      assertThat(plan(lab, Y).dirtyBytes()).isZero();
      assertThat(Lab.values(x)).endsWith("keyless59", "v59").doesNotContain("keyless0", "v0");
    }
  }

  @Test
  void other_settings_are_another_try() throws IOException {
    try (Lab lab = lab(disk, COMPACT).leaving(FindingKind.BATCH_DAMAGED)) {
      PartitionLog x = lab.orders();
      fill(x, lab.clock.millis());
      flip(x.segments().get(0), 70);
      lab.scheduler.advanceMs(15_000);
      assertThat(lab.store.compactor().uncleanable()).hasSize(1);

      x.apply(LogSettings.of(COMPACT));
      Collection<String> before = List.copyOf(lab.events);
      lab.scheduler.advanceMs(15_000);
      assertThat(lab.events.size()).isGreaterThan(before.size());
      assertThat(lab.store.compactor().outlook(X).orElseThrow().uncleanable()).isPresent();
    }
  }

  @Test
  void a_checkpoint_in_a_gap_or_out_of_range_is_passed_over_at_once() throws IOException {
    long middle;
    Path gone;
    try (Lab lab = lab(disk, COMPACT)) {
      fill(y(lab), lab.clock.millis());
      Segment segment = y(lab).segments().get(2);
      middle = segment.baseOffset() + 1;
      gone = segment.path("");
    }
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      Path file = gone.resolveSibling(gone.getFileName() + suffix);
      if (disk.exists(file)) {
        disk.delete(file);
      }
    }
    for (long checkpoint : new long[] {middle, 10_000}) {
      new OffsetCheckpoint(disk, DATA, OffsetCheckpoint.Kind.CLEANER).write(Map.of(Y, checkpoint));
      try (Lab lab = lab(disk, COMPACT)) {
        lab.scheduler.advanceMs(15_000);
        lab.scheduler.advanceMs(15_000);
        assertThat(lab.store.compactor().uncleanable()).isEmpty();
        assertThat(plan(lab, Y).firstDirtyOffset())
            .isEqualTo(y(lab).segments().get(y(lab).segments().size() - 1).baseOffset());
        assertThat(lab.events).filteredOn(event -> event.startsWith("COMPACTED y-0")).hasSize(1);
      }
    }
  }

  @Test
  void records_without_a_key_from_before_go_and_stop_nothing() throws IOException {
    Map<String, String> delete = new HashMap<>(COMPACT);
    delete.put("cleanup.policy", "delete");
    try (Lab lab = lab(disk, delete)) {
      PartitionLog x = lab.orders();
      for (int i = 0; i < 30; i++) {
        Lab.append(x, lab.clock.millis(), "no key " + i, "k" + i % 3 + ":v" + i);
      }
      x.apply(LogSettings.of(COMPACT));
      long end = x.view().end();
      lab.scheduler.advanceMs(15_000);

      assertThat(lab.store.compactor().uncleanable()).isEmpty();
      long active = x.segments().get(x.segments().size() - 1).baseOffset();
      List<String> withoutKey = new ArrayList<>();
      for (Lab.Entry entry : Lab.entries(x, 4096)) {
        if (entry.key() == null && entry.offset() < active) {
          withoutKey.add(entry.value());
        }
      }
      assertThat(withoutKey).isEmpty();
      assertThat(x.view().end()).isEqualTo(end);
    }
  }

  private static CompactionPlan plan(Lab lab, TopicPartition partition) throws IOException {
    return lab.store.compactor().outlook(partition).orElseThrow().plan();
  }
}
