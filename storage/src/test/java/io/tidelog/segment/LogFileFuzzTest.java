package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OneFile;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.testkit.SimDisk;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands in a {@code .log} file, the walk over its batches ends, in order or with the
 * place that is wrong; recovery finds batches in order; and once what follows the last one is cut,
 * every search finds each of them.
 *
 * <p>The first byte of an input says whether checksums are made right, as far as lengths lead from
 * one batch to the next.
 */
class LogFileFuzzTest implements FuzzTarget {
  private static final MemoryBound MEMORY = MemoryBound.of(512 << 10, 64);

  private final FuzzedSegment sound = FuzzedSegment.write();

  @Test
  void every_known_input_is_walked_and_recovered() throws Exception {
    KnownInputs.replay(this);
  }

  @Override
  public List<String> guidedBy() {
    return List.of("io.tidelog.segment.**");
  }

  @Override
  public List<byte[]> seeds() throws IOException {
    byte[] log = sound.bytes(SegmentFiles.LOG);
    List<byte[]> seeds = new ArrayList<>();
    for (int batches : new int[] {1, 2, 5, 12}) {
      int end = batches == 12 ? log.length : sound.batches.get(batches).position();
      byte[] input = new byte[1 + end];
      input[0] = 1;
      System.arraycopy(log, 0, input, 1, end);
      seeds.add(input);
    }
    return seeds;
  }

  @Override
  public void check(byte[] input) throws Exception {
    if (input.length == 0) {
      return;
    }
    byte[] log = Arrays.copyOfRange(input, 1, input.length);
    if (input[0] != 0) {
      seal(ByteBuffer.wrap(log));
    }
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(FuzzedSegment.FOLDER);
    OneFile.put(disk, FuzzedSegment.LOG, log);
    MEMORY.check(log.length, () -> goodBytes(disk));
    isRecovered(disk);
    disk.close();
  }

  private static void seal(ByteBuffer log) {
    for (int at = 0; at + RecordBatch.HEADER_BYTES <= log.limit(); ) {
      RecordBatch batch = RecordBatch.at(log, at);
      if (!batch.isComplete()) {
        return;
      }
      log.putInt(at + RecordBatch.CRC_AT, (int) batch.computeCrc());
      at += batch.sizeBytes();
    }
  }

  /** How far the walk comes, checksums and all. */
  private static int goodBytes(SimDisk disk) throws IOException {
    int sizeBytes = (int) disk.sizeBytes(FuzzedSegment.LOG);
    int end = 0;
    try (DiskFile file = disk.openReadOnly(FuzzedSegment.LOG)) {
      BatchWalk walk = BatchWalk.scan(file, 0, sizeBytes);
      while (walk.next()) {
        assertThat(walk.position()).isEqualTo(end);
        assertThat(walk.end()).isBetween(walk.position() + RecordBatch.HEADER_BYTES, sizeBytes);
        walk.soundBatch();
        end = walk.end();
      }
      assertThat(end).isEqualTo(sizeBytes);
    } catch (CorruptLogException refused) {
      assertThat(refused.file()).isEqualTo(FuzzedSegment.LOG);
      assertThat(refused.position()).isEqualTo(end);
    }
    return end;
  }

  private static void isRecovered(SimDisk disk) throws IOException {
    List<Long> lastOffsets = new ArrayList<>();
    Segment segment =
        Segment.openActive(FuzzedSegment.setting(disk, new ArrayList<>()), FuzzedSegment.BASE);
    Rescanned found =
        segment.recover(
            LogPart.OPEN, FuzzedSegment.BASE, batch -> lastOffsets.add(batch.lastOffset()));
    assertThat(found.tail().isPresent()).isEqualTo(found.goodBytes() < segment.sizeBytes());
    assertThat(lastOffsets.isEmpty()).isEqualTo(found.goodBytes() == 0);
    assertThat(lastOffsets).isSorted();
    segment.cutTo(found.goodBytes());
    Extent extent = new Extent(found.goodBytes(), found.nextOffset());
    SoundWalk walk = segment.batches().walkFrom(FuzzedSegment.BASE, extent);
    for (long lastOffset : lastOffsets) {
      assertThat(walk.next()).isTrue();
      assertThat(walk.batch().lastOffset()).isEqualTo(lastOffset);
      assertThat(segment.batches().positionOf(lastOffset, extent)).isEqualTo(walk.position());
    }
    assertThat(walk.next()).isFalse();
    segment.unpin();
  }
}
