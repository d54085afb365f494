package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.Segment;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Writers;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever happened to a {@code .txnindex} after a clean stop, a read_committed reader is told of
 * the transactions that the log's markers abort, and of no others.
 */
class AbortedIndexIsCheckedTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Map<String, String> SETTINGS = Map.of("segment.bytes", "500");
  private static final int READ_BYTES = 200;
  private static final int ENTRY_BYTES = 34;
  private static final int BEHIND_THE_VERSION = 2;

  private final SimDisk disk = new SimDisk(1);
  private List<List<AbortedTransaction>> right;
  private final Map<Path, byte[]> indexes = new TreeMap<>();

  @BeforeEach
  void write() throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      Writers writers = new Writers();
      for (int i = 0; i < 6; i++) {
        writers.transactional(21, 1, SimClock.START_MS).to(lab.orders(), 0);
        writers.transactional(22, 1, SimClock.START_MS).to(lab.orders(), 0);
        end(lab, writers, 21, Outcome.ABORT);
        writers.transactional(23, 1, SimClock.START_MS).to(lab.orders(), 0);
        end(lab, writers, 22, i % 2 == 0 ? Outcome.COMMIT : Outcome.ABORT);
        end(lab, writers, 23, Outcome.COMMIT);
      }
      right = aborted(lab.orders());
      assertThat(right.stream().mapToInt(List::size).sum()).isPositive();
    }
    for (String name : disk.list(FOLDER)) {
      if (name.endsWith(".txnindex")) {
        indexes.put(FOLDER.resolve(name), new Damage(disk).bytes(FOLDER.resolve(name)));
      }
    }
    assertThat(indexes).hasSizeGreaterThan(3);
  }

  private static void end(Lab lab, Writers writers, long producer, Outcome outcome)
      throws IOException {
    lab.orders().appendMarker(writers.end(producer, outcome, TransactionProtocol.V1), 0);
  }

  /** What a read at each offset is told. */
  private static List<List<AbortedTransaction>> aborted(PartitionLog log) throws IOException {
    List<List<AbortedTransaction>> all = new ArrayList<>();
    for (long offset = 0; offset < log.view().stable(); offset++) {
      LogSlice slice = log.read(offset, READ_BYTES, ReadUpTo.LAST_STABLE_OFFSET);
      all.add(List.copyOf(slice.aborted()));
      slice.release();
    }
    return all;
  }

  /** What is done to an index. */
  private interface Deed {
    void to(SimDisk disk, Path index) throws IOException;
  }

  private void isFoundAgain(Path index, Deed deed) throws IOException {
    SimDisk damaged = disk.restart(2);
    deed.to(damaged, index);
    try (Lab lab = Lab.open(damaged, DATA, SETTINGS)) {
      assertThat(aborted(lab.orders())).isEqualTo(right);
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains("REPAIRED", index.toString(), "found again");
    }
    try (Lab lab = Lab.open(damaged, DATA, SETTINGS)) {
      assertThat(aborted(lab.orders())).isEqualTo(right);
      assertThat(lab.events).isEmpty();
    }
    damaged.close();
  }

  /** The markers are gone, and so is the log; its index tells, or all that was open is aborted. */
  @Test
  void a_log_that_is_gone_leaves_what_its_index_says() throws IOException {
    List<Path> all = List.copyOf(indexes.keySet());
    for (Path index : all.subList(1, all.size())) {
      Path log = index.resolveSibling(index.getFileName().toString().replace(".txnindex", ".log"));
      abortedIsNotShown(log, damaged -> damaged.delete(log));
      abortedIsNotShown(
          log,
          damaged -> {
            damaged.delete(log);
            new Damage(damaged).write(index, 0, new byte[] {1});
          });
    }
  }

  private void abortedIsNotShown(Path log, Loss loss) throws IOException {
    long missing = Long.parseLong(log.getFileName().toString().substring(0, 20));
    SimDisk damaged = disk.restart(2);
    loss.to(damaged);
    for (int start = 0; start < 2; start++) {
      try (Lab lab = Lab.open(damaged, DATA, SETTINGS).leaving(FindingKind.OFFSETS_MISSING)) {
        for (long offset = 0; offset < missing; offset++) {
          LogSlice slice = lab.orders().read(offset, READ_BYTES, ReadUpTo.LAST_STABLE_OFFSET);
          assertThat(named(slice.aborted())).as("at %d", offset).containsAll(named(right(offset)));
          slice.release();
        }
      }
    }
    damaged.close();
  }

  /** Those that begin in the batch at an offset. */
  private List<AbortedTransaction> right(long offset) {
    return right.get((int) offset).stream().filter(each -> each.firstOffset() <= offset).toList();
  }

  private static List<String> named(List<AbortedTransaction> all) {
    return all.stream().map(each -> each.producerId() + " from " + each.firstOffset()).toList();
  }

  private interface Loss {
    void to(SimDisk disk) throws IOException;
  }

  @Test
  void sound_ones_are_taken_as_they_are() throws IOException {
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      assertThat(aborted(lab.orders())).isEqualTo(right);
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void a_missing_one_is_made_again() throws IOException {
    for (Path index : indexes.keySet()) {
      isFoundAgain(index, SimDisk::delete);
    }
  }

  @Test
  void one_that_lost_entries_is_made_again() throws IOException {
    for (Map.Entry<Path, byte[]> index : indexes.entrySet()) {
      int left = index.getValue().length - ENTRY_BYTES;
      isFoundAgain(index.getKey(), (damaged, file) -> new Damage(damaged).cut(file, left));
    }
  }

  @Test
  void a_flipped_bit_anywhere_is_found() throws IOException {
    for (Map.Entry<Path, byte[]> index : indexes.entrySet()) {
      byte[] bytes = index.getValue();
      for (int at = 0; at < bytes.length; at++) {
        if (at % ENTRY_BYTES >= BEHIND_THE_VERSION) {
          int flipped = at;
          byte wrong = (byte) (bytes[at] ^ 1 << at % 8);
          isFoundAgain(
              index.getKey(), (damaged, file) -> new Damage(damaged).write(file, flipped, wrong));
        }
      }
    }
  }

  @Test
  void one_is_made_again_though_its_producers_were_forgotten_before_the_segment_was_rolled()
      throws IOException {
    SimClock clock = new SimClock();
    SimDisk slow = new SimDisk(3, clock);
    slow.createDirectories(DATA);
    List<List<AbortedTransaction>> expected;
    try (Lab lab = Lab.open(slow, DATA, clock, SETTINGS)) {
      abortOne(lab, clock);
      forget(lab, clock);
      abortOne(lab, clock);
      forget(lab, clock);
      expected = aborted(lab.orders());
      assertThat(expected.get(0)).hasSize(1);
    }
    for (String name : slow.list(FOLDER)) {
      if (name.endsWith(".txnindex")) {
        SimDisk damaged = slow.restart(4);
        damaged.delete(FOLDER.resolve(name));
        try (Lab lab = Lab.open(damaged, DATA, clock, SETTINGS)) {
          assertThat(aborted(lab.orders())).as(name).isEqualTo(expected);
          assertThat(lab.events).singleElement().asString().contains("REPAIRED", name);
        }
        damaged.close();
      }
    }
    slow.close();
  }

  private static void abortOne(Lab lab, SimClock clock) throws IOException {
    Writers writers = new Writers();
    writers.transactional(21, 1, clock.millis()).to(lab.orders(), 0);
    end(lab, writers, 21, Outcome.ABORT);
  }

  /** Long enough for the next append to begin a segment. */
  private static void forget(Lab lab, SimClock clock) throws IOException {
    clock.advanceMs(TimeUnit.DAYS.toMillis(8));
    lab.orders().expireProducers();
  }

  @Test
  void entries_of_transactions_that_no_marker_ended_are_dropped() throws IOException {
    SimDisk plain = new SimDisk(5);
    plain.createDirectories(DATA);
    try (Lab lab = Lab.open(plain, DATA, Map.of())) {
      Writers writers = new Writers();
      for (int i = 0; i < 20; i++) {
        writers.idempotent(21, 1, SimClock.START_MS).to(lab.orders(), 0);
      }
    }
    Path index = FOLDER.resolve("00000000000000000000.txnindex");
    try (DiskFile file = plain.create(index)) {
      file.write(ByteBuffer.wrap(indexes.values().iterator().next()), 0);
    }
    try (Lab lab = Lab.open(plain, DATA, Map.of())) {
      assertThat(aborted(lab.orders())).allMatch(List::isEmpty);
      assertThat(lab.events).singleElement().asString().contains("REPAIRED", index.toString());
    }
    plain.close();
  }

  /** What no reader has looked at yet is read from the file when one does. */
  @Test
  void one_that_is_taken_away_before_it_is_read_is_made_again() throws IOException {
    Writers writers = new Writers();
    for (Deed deed :
        List.<Deed>of(SimDisk::delete, (all, index) -> new Damage(all).cut(index, 0))) {
      SimDisk damaged = disk.restart(2);
      try (Lab lab = Lab.open(damaged, DATA, Map.of())) {
        long first = lab.orders().view().end();
        writers.transactional(31, 1, SimClock.START_MS).to(lab.orders(), 0);
        end(lab, writers, 31, Outcome.ABORT);
        Path index = lastOf(lab.orders()).aborted().path();
        deed.to(damaged, index);
        assertThat(aborted(lab.orders()).get((int) first))
            .extracting(AbortedTransaction::firstOffset)
            .containsExactly(first);
        assertThat(lab.events)
            .singleElement()
            .asString()
            .contains("REPAIRED", index.toString(), "found again");
      }
      damaged.close();
    }
  }

  private static Segment lastOf(PartitionLog log) {
    return log.segments().get(log.segments().size() - 1);
  }

  /** A stop that has nothing to hold against the log leaves it to the next reader. */
  @Test
  void one_that_is_taken_away_while_it_grows_keeps_no_stop_from_being_clean() throws IOException {
    SimDisk damaged = disk.restart(2);
    Writers writers = new Writers();
    Path last;
    List<String> events;
    try (Lab lab = Lab.open(damaged, DATA, SETTINGS).leaving(FindingKind.TXN_INDEX_WRONG)) {
      writers.transactional(31, 1, SimClock.START_MS).to(lab.orders(), 0);
      end(lab, writers, 31, Outcome.ABORT);
      right = aborted(lab.orders());
      last = lastOf(lab.orders()).aborted().path();
      damaged.delete(last);
      events = lab.events;
    }
    assertThat(events).singleElement().asString().contains("REPAIRED", last.toString(), "missing");
    try (Lab lab = Lab.open(damaged, DATA, SETTINGS)) {
      assertThat(lab.store.wasStoppedCleanly()).isTrue();
      assertThat(aborted(lab.orders())).isEqualTo(right);
      assertThat(lab.events)
          .singleElement()
          .asString()
          .contains("REPAIRED", last.toString(), "found again");
    }
  }

  /** A snapshot may still know where it began, and an index that was made again may not. */
  @Test
  void where_a_transaction_began_below_the_start_is_no_matter() throws IOException {
    SimDisk one = new SimDisk(6);
    one.createDirectories(DATA);
    Writers writers = new Writers();
    long first;
    long last;
    try (Lab lab = Lab.open(one, DATA, SETTINGS)) {
      PartitionLog log = lab.orders();
      writers.transactional(21, 1, SimClock.START_MS).to(log, 0);
      first = roll(lab);
      writers.transactional(21, 1, SimClock.START_MS).to(log, 0);
      last = roll(lab);
      end(lab, writers, 21, Outcome.ABORT);
      log.dropSegmentsBelow(first);
    }
    one.delete(FOLDER.resolve("%020d.snapshot".formatted(first)));
    new Damage(one).forgetCleanStop(DATA);
    try (Lab lab = Lab.open(one, DATA, SETTINGS)) {
      lab.orders().dropSegmentsBelow(last);
      assertThat(lab.orders().segments().get(0).aborted().all())
          .extracting(AbortedTransaction::firstOffset)
          .singleElement(InstanceOfAssertFactories.LONG)
          .isGreaterThan(first);
    }
    one.close();
  }

  /** Begins a segment, and answers its base offset. */
  private static long roll(Lab lab) throws IOException {
    PartitionLog log = lab.orders();
    int before = log.segments().size();
    while (log.segments().size() == before) {
      Lab.append(log, SimClock.START_MS, "one more");
    }
    return lastOf(log).baseOffset();
  }

  /** Its marker is damaged; the next transaction of its producer was aborted. */
  @Test
  void what_was_committed_is_not_taken_for_a_part_of_the_next_transaction() throws IOException {
    SimDisk one = new SimDisk(8);
    one.createDirectories(DATA);
    Writers writers = new Writers();
    try (Lab lab = Lab.open(one, DATA, Map.of())) {
      writers.transactional(21, 1, SimClock.START_MS).to(lab.orders(), 0);
      end(lab, writers, 21, Outcome.COMMIT);
      writers.transactional(21, 1, SimClock.START_MS).to(lab.orders(), 0);
      end(lab, writers, 21, Outcome.ABORT);
    }
    FullScan.Batch marker = FullScan.of(one, FOLDER).batches().get(1);
    new Damage(one).invert(marker.file(), marker.end() - 1);
    try (Lab lab = Lab.open(one, DATA, Map.of()).harmed()) {
      lab.orders().read(0, 1, ReadUpTo.LAST_STABLE_OFFSET).release();
      assertThat(lab.orders().segments().get(0).aborted().all())
          .extracting(AbortedTransaction::firstOffset)
          .containsExactly(2L);
    }
    one.close();
  }
}
