package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches of all sizes lie across the ends of the windows through which a log is read. */
class BatchWalkTest {
  private static final Path LOG = Path.of("/00000000000000000000.log");
  private static final int LOG_BYTES = 6 << 20;
  private static final int[] SIZES = {10, 300, 4_000, 20_000, 70_000, 300_000};

  private final SimDisk disk = new SimDisk(1);
  private final List<ByteBuffer> written = new ArrayList<>();
  private DiskFile file;

  /** How a log is walked over. */
  private enum Way {
    SCAN,
    HEADERS,
    ONE_HEADER,
    LENT_WINDOW,
    LENT_FOR_ONE;

    BatchWalk over(DiskFile file) throws IOException {
      int to = (int) file.sizeBytes();
      return switch (this) {
        case SCAN -> BatchWalk.scan(file, 0, to);
        case HEADERS -> BatchWalk.headers(file, 0, to);
        case ONE_HEADER -> BatchWalk.oneHeader(file, 0, to);
        case LENT_WINDOW -> BatchWalk.in(WalkWindow.borrow(), file, 0, to);
        case LENT_FOR_ONE -> BatchWalk.atOne(WalkWindow.borrow(), file, 0, to);
      };
    }
  }

  @BeforeEach
  void writeBatchesOfAllSizes() throws IOException {
    file = disk.create(LOG);
    SplittableRandom random = new SplittableRandom(7);
    int at = 0;
    for (long offset = 0; at < LOG_BYTES; offset++) {
      int most = SIZES[random.nextInt(SIZES.length)];
      ByteBuffer batch =
          Lab.batch(Compression.NONE, 1000, "x".repeat(random.nextInt(most / 2, most)));
      RecordBatch.at(batch, 0).stampBaseOffset(offset);
      written.add(batch);
      file.write(batch.duplicate(), at);
      at += batch.remaining();
    }
  }

  @AfterEach
  void close() throws IOException {
    file.close();
    disk.close();
  }

  @ParameterizedTest
  @EnumSource
  void each_batch_is_there_whole(Way way) throws IOException {
    BatchWalk walk = way.over(file);
    for (ByteBuffer batch : written) {
      assertThat(walk.next()).isTrue();
      requireSame(walk.soundBatch(), batch);
    }
    assertThat(walk.next()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void a_batch_may_be_asked_for_or_not(Way way) throws IOException {
    BatchWalk walk = way.over(file);
    SplittableRandom random = new SplittableRandom(8);
    for (ByteBuffer batch : written) {
      assertThat(walk.next()).isTrue();
      assertThat(walk.batch().baseOffset()).isEqualTo(RecordBatch.at(batch, 0).baseOffset());
      switch (random.nextInt(3)) {
        case 0 -> walk.checkCrc();
        case 1 -> requireSame(walk.soundBatch(), batch);
        default -> {}
      }
    }
    assertThat(walk.next()).isFalse();
  }

  private static void requireSame(RecordBatch found, ByteBuffer written) {
    ByteBuffer bytes = found.buffer().slice(found.position(), found.sizeBytes());
    assertThat(bytes).isEqualTo(written);
  }
}
