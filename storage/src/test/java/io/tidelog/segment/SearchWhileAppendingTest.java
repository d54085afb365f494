package io.tidelog.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A batch that is being appended has its index entries before it counts: no search minds. */
@Timeout(60)
class SearchWhileAppendingTest {
  private static final Path FOLDER = Path.of("/data/orders-0");
  private static final int APPENDS = 50_000;

  private final List<String> repairs = new CopyOnWriteArrayList<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  @Test
  void an_entry_of_a_batch_that_does_not_count_yet_is_no_damage() throws Exception {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(FOLDER);
    Segment segment =
        Segment.create(new Segment.Setting(disk, FOLDER, 0, SimClock.START_MS, repairs::add), 0);
    CompletableFuture<Void> searches = CompletableFuture.runAsync(() -> searchTheEnd(segment));
    try {
      ByteBuffer bytes = Lab.batch(Compression.NONE, SimClock.START_MS, "v");
      for (long offset = 0; offset < APPENDS && !searches.isDone(); offset++) {
        RecordBatch.at(bytes, 0).stampBaseOffset(offset);
        segment.append(RecordBatch.at(bytes, 0));
      }
    } finally {
      isOver.set(true);
    }
    searches.get(30, TimeUnit.SECONDS);
    assertThat(repairs).isEmpty();
  }

  /** What is asked for lies past the end, so that the newest entry answers. */
  private void searchTheEnd(Segment segment) {
    try {
      while (!isOver.get()) {
        try (WalkWindow window = WalkWindow.borrow()) {
          assertThat(segment.startFor(APPENDS, window)).isLessThanOrEqualTo(segment.sizeBytes());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
