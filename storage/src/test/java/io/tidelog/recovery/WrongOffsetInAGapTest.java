package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.repair.Repair;
import io.tidelog.segment.IndexWalk;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Severity;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * No CRC covers a base offset, and in the gaps that compaction leaves a wrong one may fit between
 * the batches beside it. Where both indexes name the right one its batch is damaged: it is not
 * served under another offset, start after start, and a repair mends it.
 */
class WrongOffsetInAGapTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Map<String, String> SETTINGS =
      Map.of("cleanup.policy", "compact", "segment.bytes", "1500", "index.interval.bytes", "150");
  private static final int BATCHES = 60;

  private final SimDisk disk = new SimDisk(1);
  private List<FullScan.Batch> batches;
  private List<Lab.Entry> written;
  private Set<Long> named;

  /** One bit of a base offset that may be wrong without that its neighbours show it. */
  private record Flip(FullScan.Batch batch, int bit) {
    private long wrong() {
      return batch.header().baseOffset() ^ 1L << bit;
    }

    private void to(SimDisk disk) throws IOException {
      byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(wrong()).array();
      new Damage(disk).write(batch.file(), batch.position(), bytes);
    }
  }

  @BeforeEach
  void compact() throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = lab(disk)) {
      for (int i = 0; i < BATCHES; i++) {
        String key = i % 4 == 0 ? "key " + i : "same";
        Lab.append(lab.orders(), SimClock.START_MS + i, key + ":value " + i);
      }
      lab.compact();
      written = Lab.entries(lab.orders(), 4096);
    }
    SimDisk sound = disk.restart(1);
    batches = FullScan.of(sound, FOLDER).batches();
    named = new TreeSet<>(named(sound, SegmentFiles.OFFSET_INDEX));
    named.retainAll(named(sound, SegmentFiles.TIME_INDEX));
  }

  private static Lab lab(SimDisk disk) throws IOException {
    return Lab.open(disk, DATA, SETTINGS);
  }

  private static Set<Long> named(SimDisk disk, String suffix) throws IOException {
    Set<Long> offsets = new TreeSet<>();
    for (String name : disk.list(FOLDER)) {
      if (name.endsWith(suffix)) {
        long base = SegmentFiles.baseOffset(name, suffix).orElseThrow();
        try (DiskFile file = disk.openReadOnly(FOLDER.resolve(name))) {
          IndexWalk walk =
              suffix.equals(SegmentFiles.TIME_INDEX)
                  ? IndexWalk.times(file, base)
                  : IndexWalk.offsets(file, base);
          while (walk.next()) {
            offsets.add(walk.offset());
          }
        }
      }
    }
    return offsets;
  }

  /** Those that fit between their neighbours, of batches that both indexes name. */
  private List<Flip> flips() {
    List<Flip> flips = new ArrayList<>();
    for (int i = 1; i + 1 < batches.size(); i++) {
      FullScan.Batch batch = batches.get(i);
      boolean isInside =
          batch.file().equals(batches.get(i - 1).file())
              && batch.file().equals(batches.get(i + 1).file());
      for (int bit = 0; bit < 7 && isInside; bit++) {
        Flip flip = new Flip(batch, bit);
        if (named.contains(batch.header().lastOffset())
            && flip.wrong() > batches.get(i - 1).header().lastOffset()
            && flip.wrong() < batches.get(i + 1).header().baseOffset()) {
          flips.add(flip);
        }
      }
    }
    return flips;
  }

  @Test
  void a_batch_is_not_served_under_an_offset_that_both_indexes_contradict() throws IOException {
    List<Flip> flips = flips();
    assertThat(flips).hasSizeGreaterThan(5);
    for (Flip flip : flips) {
      SimDisk harmed = disk.restart(2);
      flip.to(harmed);
      long right = flip.batch.header().baseOffset();
      try (Lab lab = lab(harmed).leaving(FindingKind.BASE_OFFSET_WRONG)) {
        assertThatThrownBy(() -> Lab.bytesAt(lab.orders(), right, 1))
            .as(flip.toString())
            .isInstanceOf(LostOffsetsException.class);
        isLost(lab, flip);
      }
      try (Lab lab = lab(harmed).leaving(FindingKind.BASE_OFFSET_WRONG)) {
        isLost(lab, flip);
        assertThat(lab.orders().offsetOfMaxTimestamp().offset()).isEqualTo(BATCHES - 1);
      }
      harmed.close();
    }
  }

  private void isLost(Lab lab, Flip flip) throws IOException {
    List<Lab.Entry> left = new ArrayList<>(written);
    left.removeIf(entry -> entry.offset() == flip.batch.header().baseOffset());
    assertThat(Lab.entries(lab.orders(), 500)).as(flip.toString()).isEqualTo(left);
    assertThat(lab.events)
        .as(flip.toString())
        .singleElement()
        .asString()
        .contains(flip.batch.file().toString(), "as both indexes say");
  }

  @Test
  void verify_names_the_right_offset_and_repair_puts_it_back() throws IOException {
    for (Flip flip : flips()) {
      SimDisk harmed = disk.restart(2);
      flip.to(harmed);
      RecordBatch header = flip.batch.header();
      List<Finding> findings =
          Verifier.verify(harmed, DATA, VerifyOptions.batches()).atLeast(Severity.WARNING);
      assertThat(findings).as(flip.toString()).hasSize(1);
      assertThat(findings.get(0).kind()).isEqualTo(FindingKind.BASE_OFFSET_WRONG);
      assertThat(findings.get(0).position()).isEqualTo(flip.batch.position());
      assertThat(findings.get(0).found()).endsWith(" " + flip.wrong());
      assertThat(findings.get(0).expected()).startsWith(header.baseOffset() + ",");
      Repair repair = new Repair(harmed, DATA, VerifyOptions.batches());
      assertThat(repair.apply(Path.of("/quarantine"), step -> {}).isSound()).isTrue();
      try (Lab lab = lab(harmed)) {
        assertThat(Lab.entries(lab.orders(), 500)).isEqualTo(written);
        assertThat(lab.events).isEmpty();
      }
      harmed.close();
    }
  }

  /** The log is right then, by two witnesses against one. */
  @Test
  void an_index_alone_does_not_count_against_the_log() throws IOException {
    for (String suffix : List.of(SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX)) {
      for (Flip flip : flips()) {
        SimDisk harmed = disk.restart(2);
        flipEntry(harmed, flip, suffix);
        try (Lab lab = lab(harmed).harmed()) {
          assertThat(Lab.entries(lab.orders(), 500)).as(flip.toString()).isEqualTo(written);
          assertThat(lab.events).allMatch(event -> event.contains("rebuilt from its log"));
        }
        harmed.close();
      }
    }
  }

  private static void flipEntry(SimDisk disk, Flip flip, String suffix) throws IOException {
    Path log = flip.batch.file();
    long base =
        SegmentFiles.baseOffset(log.getFileName().toString(), SegmentFiles.LOG).orElseThrow();
    Path index = SegmentFiles.path(log.getParent(), base, suffix);
    boolean isTimes = suffix.equals(SegmentFiles.TIME_INDEX);
    int at = isTimes ? Long.BYTES : 0;
    byte[] bytes = new Damage(disk).bytes(index);
    int offset = (int) (flip.batch.header().lastOffset() - base);
    while (ByteBuffer.wrap(bytes).getInt(at) != offset) {
      at += isTimes ? 12 : 8;
    }
    int wrong = (int) (flip.wrong() - base);
    new Damage(disk).write(index, at, ByteBuffer.allocate(Integer.BYTES).putInt(wrong).array());
  }
}
