package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OneFile;
import io.tidelog.disk.DiskFile;
import io.tidelog.segment.FuzzedSegment.BatchAt;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands in an offset index or a time index beside a sound log, every search answers what
 * the log says; a sound index is not made anew; and the walk that tools use ends, in order or with
 * the place that is wrong.
 *
 * <p>The first byte of an input says which of the two it is.
 */
class IndexFuzzTest implements FuzzTarget {
  private static final MemoryBound MEMORY = MemoryBound.of(512 << 10, 64);

  private final FuzzedSegment sound = FuzzedSegment.write();

  @Test
  void every_known_input_misleads_no_search() throws Exception {
    KnownInputs.replay(this);
  }

  @Override
  public List<String> guidedBy() {
    return List.of("io.tidelog.segment.**");
  }

  @Override
  public List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (String suffix : List.of(SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX)) {
      byte[] index = sound.bytes(suffix);
      byte[] input = new byte[1 + index.length];
      input[0] = (byte) (suffix.equals(SegmentFiles.TIME_INDEX) ? 1 : 0);
      System.arraycopy(index, 0, input, 1, index.length);
      seeds.add(input);
      seeds.add(Arrays.copyOf(input, input.length + 10 * 24));
    }
    return seeds;
  }

  @Override
  public void check(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    String suffix = input[0] % 2 == 0 ? SegmentFiles.OFFSET_INDEX : SegmentFiles.TIME_INDEX;
    byte[] index = Arrays.copyOfRange(input, 1, input.length);
    SimDisk disk = sound.copy();
    Path file = SegmentFiles.path(FuzzedSegment.FOLDER, FuzzedSegment.BASE, suffix);
    disk.delete(file);
    OneFile.put(disk, file, index);
    MEMORY.check(index.length, () -> walks(disk, file, suffix));
    walks(disk, file, suffix);
    List<String> repairs = new ArrayList<>();
    searchesAgree(disk, repairs);
    if (Arrays.equals(index, sound.bytes(suffix))) {
      assertThat(repairs).isEmpty();
    }
    disk.close();
  }

  private void searchesAgree(SimDisk disk, List<String> repairs) throws IOException {
    Segment segment = Segment.open(FuzzedSegment.setting(disk, repairs), FuzzedSegment.BASE);
    int size = segment.sizeBytes();
    List<BatchAt> batches = sound.batches;
    long from = FuzzedSegment.BASE;
    for (BatchAt batch : batches) {
      for (long offset = from; offset <= batch.lastOffset(); offset++) {
        assertThat(segment.batches().positionOf(offset, new Extent(size, LogPart.OPEN)))
            .as("offset %d", offset)
            .isEqualTo(batch.position());
      }
      from = batch.lastOffset() + 1;
    }
    assertThat(segment.batches().positionOf(from, new Extent(size, LogPart.OPEN))).isEqualTo(size);
    assertThat(segment.maxTimestamp())
        .isEqualTo(batches.stream().mapToLong(BatchAt::maxTimestamp).max().orElseThrow());
    for (long timeMs = SimClock.START_MS - 1; timeMs < SimClock.START_MS + 50; timeMs++) {
      timeSearchAgrees(segment, timeMs, size);
    }
    segment.unpin();
  }

  /** The walk must begin no later than the first batch with so late a time. */
  private void timeSearchAgrees(Segment segment, long timeMs, int size) throws IOException {
    Extent all = new Extent(size, LogPart.OPEN);
    long found = -1;
    try (WalkWindow window = WalkWindow.borrow()) {
      SoundWalk walk = segment.batches().walkForTimestamp(timeMs, FuzzedSegment.BASE, all, window);
      while (found < 0 && walk.next()) {
        found = walk.batch().maxTimestamp() >= timeMs ? walk.position() : -1;
      }
    }
    long expected =
        sound.batches.stream()
            .filter(batch -> batch.maxTimestamp() >= timeMs)
            .mapToLong(BatchAt::position)
            .findFirst()
            .orElse(-1);
    assertThat(found).as("time %d", timeMs).isEqualTo(expected);
  }

  private static void walks(SimDisk disk, Path file, String suffix) throws IOException {
    long sizeBytes = disk.sizeBytes(file);
    try (DiskFile opened = disk.openReadOnly(file)) {
      IndexWalk walk =
          suffix.equals(SegmentFiles.OFFSET_INDEX)
              ? IndexWalk.offsets(opened, FuzzedSegment.BASE)
              : IndexWalk.times(opened, FuzzedSegment.BASE);
      long last = -1;
      while (walk.next()) {
        assertThat(walk.position()).isGreaterThan(last).isLessThan(sizeBytes);
        assertThat(walk.offset()).isGreaterThanOrEqualTo(FuzzedSegment.BASE);
        last = walk.position();
      }
      assertThat(walk.unusedBytes()).isBetween(0L, sizeBytes);
    } catch (CorruptLogException refused) {
      assertThat(refused.file()).isEqualTo(file);
      assertThat(refused.position()).isBetween(0L, sizeBytes);
    }
  }
}
