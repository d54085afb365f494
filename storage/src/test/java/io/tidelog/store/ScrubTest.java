package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.DiskCall.Kind;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damage in records that nobody reads is found in the background, at a bounded rate. */
class ScrubTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FIRST_LOG = DATA.resolve("orders-0/00000000000000000000.log");
  private static final Map<String, String> SETTINGS =
      Map.of("segment.bytes", "2000", "retention.ms", "-1");
  private static final int BYTES_PER_SECOND = 500;

  private final SimDisk sim = new SimDisk(1);
  private final WatchedDisk disk = new WatchedDisk(sim);
  private final AtomicLong readBytes = new AtomicLong();

  @BeforeEach
  void write() throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      for (int i = 0; i < 100; i++) {
        Lab.append(lab.orders(), SimClock.START_MS, "value " + i);
      }
    }
    disk.watch(
        (call, bytes) -> {
          if (call.kind() == Kind.READ && call.path().toString().endsWith(".log")) {
            readBytes.addAndGet(bytes);
          }
        });
  }

  private Scrub scrub(Lab lab, long bytesPerSecond) {
    Surroundings around =
        new Surroundings(
            disk,
            lab.clock,
            new SplittableRandom(1),
            lab.scheduler,
            (kind, sentence) -> lab.events.add(sentence));
    return new Scrub(around, lab.store::partitions, bytesPerSecond);
  }

  @Test
  void what_is_damaged_is_told_once_and_each_segment_is_read_once() throws IOException {
    new Damage(sim).invert(FIRST_LOG, 300);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS).harmed()) {
      scrub(lab, BYTES_PER_SECOND).start();
      assertThat(lab.events).isEmpty();
      lab.scheduler.advanceMs(60_000);
      assertThat(lab.events).singleElement().asString().contains(FIRST_LOG + " at byte ");
      readBytes.set(0);
      lab.scheduler.advanceMs(60_000);
      assertThat(readBytes.get()).isZero();
      assertThat(lab.events).hasSize(1);
    }
  }

  @Test
  void no_more_is_checked_in_a_second_than_is_allowed() throws IOException {
    List<Integer> seconds = new java.util.ArrayList<>();
    for (int at : new int[] {300, 1_700}) {
      SimDisk copy = sim.restart(1);
      new Damage(copy).invert(FIRST_LOG, at);
      try (Lab lab = Lab.open(copy, DATA, SETTINGS).harmed()) {
        scrub(lab, BYTES_PER_SECOND).start();
        int passed = 0;
        while (lab.events.isEmpty()) {
          lab.scheduler.advanceMs(1000);
          passed++;
        }
        seconds.add(passed);
      }
    }
    assertThat(seconds.get(0)).isLessThan(seconds.get(1));
    assertThat(seconds.get(1)).isBetween(3, 5);
  }

  @Test
  void it_is_off_unless_it_is_asked_for() throws IOException {
    new Damage(sim).invert(FIRST_LOG, 300);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS).harmed()) {
      scrub(lab, 0).start();
      readBytes.set(0);
      lab.scheduler.advanceMs(10_000);
      assertThat(lab.events).isEmpty();
    }
  }
}
