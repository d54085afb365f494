package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidelog.producer.ActiveProducer;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.producer.ProducerStateException.Reason;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.store.Produced.Producer;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules by which transactions begin and end in a partition. */
class TransactionsTest {
  private static final Path DATA = Path.of("/data");
  private static final Producer FIRST = new Producer(11, (short) 4);
  private static final Producer SECOND = new Producer(12, (short) 0);

  private final SimDisk disk = new SimDisk(1);
  private Lab lab;
  private PartitionLog log;

  @BeforeEach
  void open() throws IOException {
    disk.createDirectories(DATA);
    use("page-cache");
  }

  private void use(String durability) throws IOException {
    lab = Lab.open(disk, DATA, Map.of("tidelog.durability", durability));
    log = lab.orders();
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
    disk.close();
  }

  private static FirstBatch firstOf(Producer producer) {
    return new FirstBatch(producer.id(), producer.epoch(), 0, TransactionProtocol.V1);
  }

  private static ByteBuffer batch(Producer producer, int sequence) {
    return Produced.transactional(producer, sequence, SimClock.START_MS);
  }

  private Appended append(Producer producer, int sequence, TransactionGuard guard)
      throws IOException {
    return log.append(batch(producer, sequence), 0, AppendSource.CLIENT, guard);
  }

  private void begin(Producer producer) throws IOException {
    Produced.beginTransaction(log, producer, 0, SimClock.START_MS);
  }

  private static EndTransactionMarker marker(
      Producer producer, int coordinatorEpoch, Outcome outcome) {
    return new EndTransactionMarker(
        producer.id(), producer.epoch(), coordinatorEpoch, outcome, TransactionProtocol.V1);
  }

  private Appended end(Producer producer, Outcome outcome) throws IOException {
    return log.appendMarker(marker(producer, 7, outcome), 0);
  }

  /** What an append does. */
  private interface Append {
    void run() throws IOException;
  }

  private void assertRefused(Reason reason, String message, Append append) {
    long end = log.view().end();
    assertThatExceptionOfType(ProducerStateException.class)
        .isThrownBy(append::run)
        .withMessageContaining(message)
        .extracting(ProducerStateException::reason)
        .isEqualTo(reason);
    assertThat(log.view().end()).isEqualTo(end);
  }

  @Test
  void a_batch_that_opens_a_transaction_needs_a_guard_and_later_ones_do_not() throws IOException {
    assertRefused(
        Reason.INVALID_TXN_STATE,
        "without a verification",
        () -> append(FIRST, 0, TransactionGuard.NONE));
    append(FIRST, 0, log.guardTransaction(firstOf(FIRST)).orElseThrow());
    assertThat(log.guardTransaction(firstOf(FIRST))).isEmpty();
    append(FIRST, 1, TransactionGuard.NONE);
    end(FIRST, Outcome.COMMIT);
    assertRefused(
        Reason.INVALID_TXN_STATE,
        "without a verification",
        () -> append(FIRST, 2, TransactionGuard.NONE));
  }

  @Test
  void a_marker_makes_a_guard_void() throws IOException {
    TransactionGuard guard = log.guardTransaction(firstOf(FIRST)).orElseThrow();
    end(FIRST, Outcome.ABORT);
    assertRefused(Reason.INVALID_TXN_STATE, "still stands", () -> append(FIRST, 0, guard));
    TransactionGuard other = log.guardTransaction(firstOf(SECOND)).orElseThrow();
    assertThat(log.guardTransaction(firstOf(FIRST))).isPresent();
    assertRefused(Reason.INVALID_TXN_STATE, "still stands", () -> append(FIRST, 0, other));
  }

  @Test
  void with_raised_epochs_a_guard_for_the_next_transaction_outlives_the_marker_of_the_last()
      throws IOException {
    begin(FIRST);
    Producer next = new Producer(FIRST.id(), (short) (FIRST.epoch() + 1));
    FirstBatch batch = new FirstBatch(next.id(), next.epoch(), 0, TransactionProtocol.V2);
    TransactionGuard guard = log.guardTransaction(batch).orElseThrow();
    log.appendMarker(
        new EndTransactionMarker(next.id(), next.epoch(), 7, Outcome.ABORT, TransactionProtocol.V2),
        0);
    assertRefused(Reason.OUT_OF_ORDER_SEQUENCE, "expected 0", () -> append(next, 1, guard));
    append(next, 0, guard);
    assertThat(log.view().stable()).isEqualTo(2);
  }

  @Test
  void a_guard_is_forgotten_when_nobody_comes_back_with_it() throws IOException {
    TransactionGuard guard = log.guardTransaction(firstOf(FIRST)).orElseThrow();
    lab.clock.advanceMs(24 * 60 * 60 * 1000L);
    log.expireProducers();
    assertRefused(Reason.INVALID_TXN_STATE, "still stands", () -> append(FIRST, 0, guard));
  }

  @Test
  void guards_that_nobody_comes_back_with_take_no_more_room_than_there_is() throws IOException {
    TransactionGuard first = log.guardTransaction(firstOf(FIRST)).orElseThrow();
    TransactionGuard second = log.guardTransaction(firstOf(SECOND)).orElseThrow();
    for (int i = 0; i < 8_191; i++) {
      assertThat(log.guardTransaction(firstOf(new Producer(1_000_000 + i, (short) 0)))).isPresent();
    }
    assertRefused(Reason.INVALID_TXN_STATE, "still stands", () -> append(FIRST, 0, first));
    append(SECOND, 0, second);
    assertThat(log.view().end()).isEqualTo(1);
  }

  @Test
  void a_producer_with_an_open_transaction_is_never_forgotten() throws IOException {
    begin(FIRST);
    lab.clock.advanceMs(365L * 24 * 60 * 60 * 1000);
    log.expireProducers();
    assertThat(log.view().stable()).isZero();
    assertThat(log.activeProducers()).hasSize(1);
    end(FIRST, Outcome.COMMIT);
    assertThat(log.view().stable()).isEqualTo(2);
  }

  @Test
  void a_coordinators_batch_in_a_transaction_needs_a_guard_too_but_no_sequence()
      throws IOException {
    ByteBuffer offsets = batch(FIRST, 5);
    assertRefused(
        Reason.INVALID_TXN_STATE,
        "without a verification",
        () -> log.append(offsets, 0, AppendSource.COORDINATOR));
    TransactionGuard guard = log.guardTransaction(firstOf(FIRST)).orElseThrow();
    assertThat(log.append(offsets, 0, AppendSource.COORDINATOR, guard).baseOffset()).isZero();
  }

  @Test
  void markers_of_older_producers_and_coordinators_are_refused() throws IOException {
    begin(FIRST);
    Producer older = new Producer(FIRST.id(), (short) (FIRST.epoch() - 1));
    assertRefused(Reason.INVALID_PRODUCER_EPOCH, "epoch 4", () -> end(older, Outcome.COMMIT));
    end(FIRST, Outcome.COMMIT);
    assertRefused(
        Reason.TRANSACTION_COORDINATOR_FENCED,
        "coordinator with epoch 6",
        () -> log.appendMarker(marker(FIRST, 6, Outcome.ABORT), 0));
    assertRefused(
        Reason.INVALID_PRODUCER_EPOCH, "epoch 4", () -> log.guardTransaction(firstOf(older)));
    assertThat(end(FIRST, Outcome.COMMIT).baseOffset()).isEqualTo(2);
  }

  @Test
  void a_marker_has_the_time_that_the_topic_wants() throws IOException {
    lab.clock.advanceMs(5);
    assertThat(end(FIRST, Outcome.ABORT).logAppendTimeMs()).isEqualTo(-1);
    log.apply(LogSettings.of(Map.of("message.timestamp.type", "LogAppendTime")));
    lab.clock.advanceMs(5);
    assertThat(end(FIRST, Outcome.COMMIT).logAppendTimeMs()).isEqualTo(SimClock.START_MS + 10);
    assertThat(Lab.entries(log, 10_000))
        .extracting(Lab.Entry::timestampMs)
        .containsExactly(SimClock.START_MS + 5, SimClock.START_MS + 10);
  }

  @Test
  void the_last_stable_offset_moves_on_with_the_first_transaction_and_listeners_hear_of_it()
      throws IOException {
    List<Long> heard = new ArrayList<>();
    log.addListener(moved -> heard.add(moved.view().stable()));
    begin(FIRST);
    begin(SECOND);
    end(SECOND, Outcome.ABORT);
    assertThat(log.view().stable()).isZero();
    end(FIRST, Outcome.COMMIT);
    assertThat(log.view().stable()).isEqualTo(4);
    assertThat(heard).containsExactly(0L, 0L, 0L, 4L);
  }

  @Test
  void an_ended_transaction_holds_it_back_until_its_marker_is_acknowledged() throws IOException {
    lab.close();
    use("fsync");
    begin(FIRST);
    lab.scheduler.runDue();
    assertThat(log.view().highWatermark()).isEqualTo(1);
    end(FIRST, Outcome.COMMIT);
    assertThat(log.view().stable()).isZero();
    assertThat(log.read(0, 1000, ReadUpTo.LAST_STABLE_OFFSET).sizeBytes()).isZero();
    List<Long> heard = new ArrayList<>();
    log.addListener(moved -> heard.add(moved.view().stable()));
    lab.scheduler.runDue();
    assertThat(heard).containsExactly(2L);
  }

  @Test
  void a_marker_that_is_cut_off_opens_its_transaction_again() throws IOException {
    begin(FIRST);
    end(FIRST, Outcome.ABORT);
    begin(SECOND);
    log.truncateTo(1);
    assertThat(log.view().stable()).isZero();
    assertThat(log.activeProducers())
        .extracting(ActiveProducer::transactionStart)
        .containsExactly(OptionalLong.of(0));
    end(FIRST, Outcome.COMMIT);
    LogSlice slice = log.read(0, 1000, ReadUpTo.LAST_STABLE_OFFSET);
    assertThat(slice.aborted()).isEmpty();
    slice.release();
  }

  @Test
  void active_producers_tell_what_describe_producers_asks() throws IOException {
    begin(FIRST);
    append(FIRST, 1, TransactionGuard.NONE);
    end(SECOND, Outcome.ABORT);
    assertThat(log.activeProducers())
        .containsExactlyInAnyOrder(
            new ActiveProducer(11, (short) 4, 1, SimClock.START_MS, -1, OptionalLong.of(0)),
            new ActiveProducer(12, (short) 0, -1, SimClock.START_MS, 7, OptionalLong.empty()));
  }

  @Test
  void a_log_without_aborted_transactions_has_no_index_of_them() throws IOException {
    begin(FIRST);
    end(FIRST, Outcome.COMMIT);
    assertThat(disk.list(log.directory())).noneMatch(name -> name.endsWith(".txnindex"));
    begin(SECOND);
    end(SECOND, Outcome.ABORT);
    assertThat(disk.list(log.directory())).contains("00000000000000000000.txnindex");
  }
}
