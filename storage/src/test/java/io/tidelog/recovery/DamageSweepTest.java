package io.tidelog.recovery;

import io.tidelog.recovery.DamagedLog.Stop;
import io.tidelog.store.FullScan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damage at any byte of a log costs the batches that it touches and no other: only what was written
 * is served, no offset is given out twice, and another restart changes nothing.
 */
class DamageSweepTest {
  private static DamagedLog log;

  @BeforeAll
  static void write() throws IOException {
    log = new DamagedLog();
  }

  static Stream<Arguments> places() {
    return Stream.of(Stop.values())
        .flatMap(stop -> Stream.of("middle", "active").map(where -> Arguments.of(where, stop)));
  }

  private static Path file(String where) {
    return where.equals("middle") ? log.middleLog() : log.activeLog();
  }

  /** The batches that have a byte in a range. */
  private static Set<Integer> touched(Path file, int from, int to) {
    return new HashSet<>(touchedInOrder(file, from, to));
  }

  /** What may be lost: if nothing is known to have been durable, all that follows too. */
  private static Set<Integer> harmed(Stop stop, Path file, int from, int to) {
    Set<Integer> harmed = touched(file, from, to);
    if (stop == Stop.UNKNOWN && !harmed.isEmpty()) {
      int first = harmed.stream().min(Integer::compare).orElseThrow();
      for (int i = first; i < DamagedLog.BATCHES; i++) {
        harmed.add(i);
      }
    }
    return harmed;
  }

  private static List<Integer> touchedInOrder(Path file, int from, int to) {
    List<Integer> touched = new ArrayList<>();
    for (int i = 0; i < DamagedLog.BATCHES; i++) {
      FullScan.Batch batch = log.batches().get(i);
      if (batch.file().equals(file) && batch.position() < to && batch.end() > from) {
        touched.add(i);
      }
    }
    return touched;
  }

  @ParameterizedTest
  @MethodSource("places")
  void a_flipped_bit_costs_its_batch_at_most(String where, Stop stop) throws IOException {
    Path file = file(where);
    byte[] bytes = log.bytes(file);
    for (int at = 0; at < bytes.length; at++) {
      int position = at;
      int bit = (at + stop.ordinal()) % Byte.SIZE;
      byte flipped = (byte) (bytes[at] ^ 1 << bit);
      run(
          "bit %d of byte %d".formatted(bit, at),
          () ->
              log.survives(
                  stop,
                  harmed(stop, file, position, position + 1),
                  damage -> damage.write(file, position, flipped)));
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void a_file_that_was_cut_has_the_batches_before_the_cut(String where, Stop stop)
      throws IOException {
    Path file = file(where);
    int size = log.size(file);
    for (int cut = 0; cut < size; cut++) {
      int at = cut;
      run(
          "cut to %d bytes".formatted(at),
          () -> log.survives(stop, harmed(stop, file, at, size), damage -> damage.cut(file, at)));
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void zeros_cost_the_batches_that_they_touch(String where, Stop stop) throws IOException {
    Path file = file(where);
    int size = log.size(file);
    for (int length : new int[] {64, 200}) {
      for (int from = 0; from < size; from += 9) {
        int at = from;
        int to = Math.min(size, from + length);
        run(
            "zeros from %d to %d".formatted(at, to),
            () ->
                log.survives(
                    stop,
                    harmed(stop, file, at, to),
                    damage -> damage.write(file, at, new byte[to - at])));
      }
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void run(String what, Step step) throws IOException {
    try {
      step.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(what + ": " + e.getMessage(), e);
    }
  }
}
