package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.LogSlice;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.store.Produced.Producer;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A partition that is moved to another data directory stays the partition that it was. */
class MovedPartitionTest {
  private static final Map<String, String> SMALL_SEGMENTS =
      Map.of("segment.bytes", "2000", "file.delete.delay.ms", "1000");
  private static final Producer ALPHA = new Producer(11, (short) 0);
  private static final Producer BETA = new Producer(12, (short) 0);

  private final SimDisk disk = new SimDisk(1);
  private TwoDirectories two;
  private PartitionLog log;

  @BeforeEach
  void open() throws IOException {
    two = TwoDirectories.open(disk, SMALL_SEGMENTS);
    log = two.orders();
  }

  @AfterEach
  void close() throws IOException {
    two.close();
    disk.close();
  }

  private void reopen() throws IOException {
    two.close();
    open();
  }

  private void append(int records) throws IOException {
    for (int i = 0; i < records; i++) {
      Lab.append(log, SimClock.START_MS, value(log.view().end()));
    }
  }

  private static String value(long offset) {
    return offset + "x".repeat(500);
  }

  private void begin() {
    two.store.move(Lab.ORDERS, TwoDirectories.SECOND, () -> {});
  }

  /** Begins, and copies some but not all of it. */
  private void beginAndCopySome() {
    begin();
    two.scheduler.runNext();
    two.scheduler.runNext();
    two.scheduler.runNext();
    assertThat(two.store.moving()).hasSize(1);
  }

  private void requireAllIn(Path directory, long start, long end) throws IOException {
    assertThat(log.directory()).isEqualTo(directory.resolve("orders-0"));
    assertThat(two.store.moving()).isEmpty();
    assertThat(log.view().start()).isEqualTo(start);
    assertThat(log.view().end()).isEqualTo(end);
    List<String> values = Lab.values(log);
    for (int i = 0; i < values.size(); i++) {
      assertThat(values.get(i)).isEqualTo(value(start + i));
    }
    assertThat(values).hasSize((int) (end - start));
  }

  private void requireFolders(String... paths) throws IOException {
    assertThat(two.folders()).containsExactly(paths);
  }

  @Test
  void it_goes_there_and_its_old_folder_goes_later() throws IOException {
    append(20);
    List<Path> arrived = new ArrayList<>();
    two.store.move(
        Lab.ORDERS, TwoDirectories.SECOND, () -> arrived.add(log.directory().getParent()));
    assertThat(arrived).isEmpty();
    two.scheduler.runDue();
    assertThat(arrived).containsExactly(TwoDirectories.SECOND);
    requireAllIn(TwoDirectories.SECOND, 0, 20);
    assertThat(two.folders()).hasSize(2).anyMatch(name -> name.endsWith("-delete"));
    append(5);
    two.scheduler.advanceMs(1_000);
    requireFolders("/second/orders-0");
    reopen();
    requireAllIn(TwoDirectories.SECOND, 0, 25);
    two.moveTo(TwoDirectories.FIRST);
    requireAllIn(TwoDirectories.FIRST, 0, 25);
  }

  @Test
  void its_files_are_those_that_it_had() throws IOException {
    append(20);
    two.scheduler.runDue();
    Map<String, ByteBuffer> before = logs();
    two.moveTo(TwoDirectories.SECOND);
    Map<String, ByteBuffer> after = logs();
    assertThat(after).containsAllEntriesOf(before);
    assertThat(disk.list(log.directory()))
        .contains("leader-epoch-checkpoint", "partition.metadata")
        .filteredOn(name -> name.endsWith(".index"))
        .hasSize(log.segments().size());
  }

  private Map<String, ByteBuffer> logs() throws IOException {
    Map<String, ByteBuffer> found = new TreeMap<>();
    for (String name : disk.list(log.directory())) {
      Path path = log.directory().resolve(name);
      if (name.endsWith(SegmentFiles.LOG)) {
        try (DiskFile file = disk.openReadOnly(path)) {
          ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
          file.read(bytes, 0);
          found.put(name, bytes.flip());
        }
      }
    }
    return found;
  }

  @Test
  void how_far_it_is_can_be_seen() throws IOException {
    append(20);
    begin();
    assertThat(two.store.moving())
        .containsExactly(new MovingLog(Lab.ORDERS, TwoDirectories.SECOND, 0, 20));
    two.scheduler.runNext();
    two.scheduler.runNext();
    MovingLog first = two.store.moving().iterator().next();
    assertThat(first.copiedBytes()).isEqualTo(log.segments().get(0).sizeBytes());
    assertThat(first.offsetLag()).isEqualTo(20 - log.segments().get(1).baseOffset());
    append(1);
    assertThat(two.store.moving().iterator().next().offsetLag()).isEqualTo(first.offsetLag() + 1);
  }

  @Test
  void what_is_appended_meanwhile_comes_along() throws IOException {
    append(10);
    begin();
    while (!two.store.moving().isEmpty() && log.view().end() < 40) {
      append(1);
      two.scheduler.runNext();
    }
    two.scheduler.runDue();
    requireAllIn(TwoDirectories.SECOND, 0, log.view().end());
    reopen();
    requireAllIn(TwoDirectories.SECOND, 0, log.view().end());
  }

  @Test
  void what_is_deleted_meanwhile_does_not() throws IOException {
    append(20);
    beginAndCopySome();
    log.dropSegmentsBelow(9);
    log.advanceStart(10);
    two.scheduler.runDue();
    requireAllIn(TwoDirectories.SECOND, 10, 20);
    assertThat(disk.list(log.directory())).noneMatch(name -> name.startsWith("0".repeat(20)));
    reopen();
    requireAllIn(TwoDirectories.SECOND, 10, 20);
  }

  @Test
  void what_is_cut_meanwhile_does_not() throws IOException {
    append(20);
    beginAndCopySome();
    log.truncateTo(2);
    append(2);
    two.scheduler.runDue();
    requireAllIn(TwoDirectories.SECOND, 0, 4);
    reopen();
    requireAllIn(TwoDirectories.SECOND, 0, 4);
  }

  @Test
  void a_slice_can_be_read_to_its_end() throws IOException {
    append(3);
    LogSlice slice = log.read(0, 10_000, ReadUpTo.LOG_END);
    two.moveTo(TwoDirectories.SECOND);
    two.scheduler.advanceMs(1_000);
    ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
    slice.read(bytes, 0);
    slice.release();
    List<Lab.Entry> entries = new ArrayList<>();
    assertThat(Lab.addEntries(bytes.flip(), 0, entries)).isEqualTo(3);
    assertThat(entries).hasSize(3);
  }

  @Test
  void its_producers_transactions_and_epochs_come_along() throws IOException {
    log.append(Produced.by(ALPHA, 0, SimClock.START_MS, 1), 4, AppendSource.CLIENT);
    Producer aborting = new Producer(13, (short) 0);
    Produced.beginTransaction(log, aborting, 5, SimClock.START_MS);
    log.appendMarker(marker(aborting, Outcome.ABORT), 5);
    Produced.beginTransaction(log, BETA, 6, SimClock.START_MS);
    FirstBatch first = new FirstBatch(14, (short) 0, 0, TransactionProtocol.V1);
    TransactionGuard guard = log.guardTransaction(first).orElseThrow();
    long stable = log.view().stable();
    two.moveTo(TwoDirectories.SECOND);

    assertThat(log.view().stable()).isEqualTo(stable).isLessThan(log.view().end());
    Appended again =
        log.append(Produced.by(ALPHA, 0, SimClock.START_MS, 1), 6, AppendSource.CLIENT);
    assertThat(again.duplicate()).isTrue();
    log.append(
        Produced.transactional(new Producer(14, (short) 0), 0, SimClock.START_MS),
        6,
        AppendSource.CLIENT,
        guard);
    log.appendMarker(marker(BETA, Outcome.COMMIT), 6);
    for (int i = 0; i < 2; i++) {
      assertThat(log.epochAt(0)).isEqualTo(4);
      assertThat(log.epochAt(1)).isEqualTo(5);
      assertThat(log.latestEpoch()).isEqualTo(6);
      LogSlice slice = log.read(0, 10_000, ReadUpTo.LAST_STABLE_OFFSET);
      assertThat(slice.aborted()).hasSize(1);
      slice.release();
      assertThat(log.activeProducers()).hasSize(4);
      reopen();
    }
  }

  private static EndTransactionMarker marker(Producer producer, Outcome outcome) {
    return new EndTransactionMarker(
        producer.id(), producer.epoch(), 1, outcome, TransactionProtocol.V1);
  }

  @Test
  void a_move_back_before_the_end_cancels_it() throws IOException {
    append(20);
    beginAndCopySome();
    two.moveTo(TwoDirectories.FIRST);
    requireAllIn(TwoDirectories.FIRST, 0, 20);
    requireFolders("/first/orders-0");
  }

  @Test
  void a_move_that_was_cancelled_can_be_begun_again_at_once() throws IOException {
    append(20);
    beginAndCopySome();
    two.store.move(Lab.ORDERS, TwoDirectories.FIRST, () -> {});
    assertThat(two.store.moving()).isEmpty();
    begin();
    two.scheduler.runNext();
    reopen();
    requireFolders("/first/orders-0");
    two.store.move(Lab.ORDERS, TwoDirectories.FIRST, () -> {});
    two.moveTo(TwoDirectories.SECOND);
    requireAllIn(TwoDirectories.SECOND, 0, 20);
    two.scheduler.advanceMs(1_000);
    requireFolders("/second/orders-0");
  }

  @Test
  void a_second_wish_for_the_same_changes_nothing() throws IOException {
    append(20);
    beginAndCopySome();
    begin();
    assertThat(two.store.moving()).hasSize(1);
    two.scheduler.runDue();
    requireAllIn(TwoDirectories.SECOND, 0, 20);
  }

  @Test
  void a_deletion_ends_it() throws IOException {
    append(20);
    beginAndCopySome();
    two.store.delete(Lab.ORDERS);
    two.scheduler.advanceMs(1_000);
    assertThat(two.folders()).isEmpty();
    assertThat(two.store.moving()).isEmpty();
    log = two.orders();
    append(1);
    requireAllIn(TwoDirectories.FIRST, 0, 1);
  }

  @Test
  void a_stop_ends_it_and_leaves_nothing() throws IOException {
    append(20);
    beginAndCopySome();
    reopen();
    requireAllIn(TwoDirectories.FIRST, 0, 20);
    requireFolders("/first/orders-0");
    assertThat(two.events).isEmpty();
  }

  @Test
  void if_there_is_no_room_it_stays_where_it_is() throws IOException {
    append(20);
    begin();
    two.scheduler.runNext();
    disk.limitSpace(600);
    two.scheduler.runDue();
    disk.heal();
    disk.limitSpace(Long.MAX_VALUE);
    assertThat(two.events).anyMatch(event -> event.contains("could not be moved to /second"));
    append(1);
    requireAllIn(TwoDirectories.FIRST, 0, 21);
    requireFolders("/first/orders-0");
  }

  @Test
  void a_new_partition_goes_where_somebody_wished() throws IOException {
    two.store.delete(Lab.ORDERS);
    two.store.place(Lab.ORDERS, TwoDirectories.SECOND);
    log = two.orders();
    requireAllIn(TwoDirectories.SECOND, 0, 0);
    two.store.delete(Lab.ORDERS);
    log = two.orders();
    requireAllIn(TwoDirectories.FIRST, 0, 0);
  }
}
