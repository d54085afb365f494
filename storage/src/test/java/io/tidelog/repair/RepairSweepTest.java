package io.tidelog.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Whatever byte of whatever file is changed or cut off: after repair the directory verifies and
 * opens, no record is lost but those of the damaged batch, and there is life after it.
 */
class RepairSweepTest {
  private static final Path STARTS =
      SmallDirectory.DATA.resolve(OffsetCheckpoint.Kind.LOG_START.fileName());

  private static SmallDirectory directory;

  @BeforeAll
  static void make() throws IOException {
    directory = SmallDirectory.make();
  }

  /**
   * Repairs a directory with one damaged file and looks at what is left.
   *
   * @param mayBeLost which offsets of the first partition are lost with the damage
   */
  private static void check(String what, Path file, byte[] contents, LongPredicate mayBeLost)
      throws IOException {
    try (SimDisk disk = directory.diskWith(file, contents)) {
      Repair.Plan left = SmallDirectory.repair(disk).apply(SmallDirectory.QUARANTINE, step -> {});
      assertThat(left.steps()).as(what).isEmpty();
      assertThat(left.beyond()).as(what).isEmpty();
      assertThat(SmallDirectory.verify(disk).isSound()).as(what).isTrue();
      try (Lab lab = Lab.open(disk, SmallDirectory.DATA, new SimClock(), SmallDirectory.SETTINGS)) {
        long start = lab.orders().view().start();
        boolean isStart = file.equals(STARTS);
        assertThat(start)
            .as(what)
            .satisfiesAnyOf(
                s -> assertThat(isStart).isTrue(), s -> assertThat(s).isLessThanOrEqualTo(13));
        long end = lab.orders().view().end();
        Lab.append(lab.orders(), SimClock.START_MS, "after");
        List<Lab.Entry> expected =
            directory.entries().stream()
                .filter(entry -> !mayBeLost.test(entry.offset()))
                .filter(entry -> !isStart || entry.offset() >= start)
                .toList();
        List<Lab.Entry> found = Lab.entries(lab.orders(), 4096);
        assertThat(found).as(what).containsAll(expected);
        assertThat(found).as(what).last().matches(entry -> entry.offset() == end);
        if (!isStart) {
          assertThat(directory.entries()).as(what).containsAll(found.subList(0, found.size() - 1));
        }
        assertThat(end).as(what + ": no offset is used again").isGreaterThanOrEqualTo(18);
      }
    }
  }

  /** One of many that share nothing. */
  private interface Case {
    void at(int position) throws IOException;
  }

  private static void sideBySide(int cases, Case each) {
    IntStream.range(0, cases)
        .parallel()
        .forEach(
            position -> {
              try {
                each.at(position);
              } catch (IOException e) {
                throw new AssertionError("at " + position, e);
              }
            });
  }

  @Test
  void every_flipped_bit_is_repaired() throws IOException {
    for (Path file : directory.files().keySet()) {
      if (file.endsWith(MetaProperties.FILE_NAME)) {
        continue;
      }
      byte[] sound = directory.files().get(file);
      sideBySide(
          sound.length,
          at -> {
            byte[] flipped = sound.clone();
            flipped[at] ^= (byte) (1 << (at % 8));
            check(
                "bit %d of byte %d of %s".formatted(at % 8, at, file),
                file,
                flipped,
                offset -> isInFlipped(file, at, offset));
          });
    }
  }

  /** What lies outside of the CRC can be mended: with it nothing is lost. */
  private static boolean isInFlipped(Path file, int position, long offset) {
    return file.getParent().endsWith("orders-0")
        && directory.batchesOf(file).stream()
            .anyMatch(
                batch ->
                    batch.holds(offset)
                        && position >= batch.from() + RecordBatch.CRC_AT
                        && position < batch.to());
  }

  @Test
  void every_cut_file_is_repaired() throws IOException {
    for (Path file : directory.files().keySet()) {
      byte[] sound = directory.files().get(file);
      sideBySide(
          sound.length,
          cut ->
              check(
                  "%s cut to %d bytes".formatted(file, cut),
                  file,
                  Arrays.copyOf(sound, cut),
                  offset ->
                      file.getParent().endsWith("orders-0")
                          && directory.batchesOf(file).stream()
                              .anyMatch(batch -> batch.holds(offset) && batch.to() > cut)));
    }
  }

  @Test
  void every_missing_file_is_repaired() throws IOException {
    for (Path file : directory.files().keySet()) {
      check(
          file + " is gone",
          file,
          null,
          offset ->
              file.getParent().endsWith("orders-0")
                  && directory.batchesOf(file).stream().anyMatch(batch -> batch.holds(offset)));
    }
  }
}
