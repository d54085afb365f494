package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.store.Lab;
import io.tidelog.store.Meanwhile;
import io.tidelog.store.WatchedDisk;
import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.DiskCall.Kind;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flush and something else at the same time. */
@Timeout(60)
class FlushMeanwhileTest {
  private static final Path DATA = Path.of("/data");

  private final SimDisk sim = new SimDisk(1);
  private final WatchedDisk disk = new WatchedDisk(sim);
  private final Meanwhile other = new Meanwhile();
  private Lab lab;

  @BeforeEach
  void open() throws IOException {
    disk.createDirectories(DATA);
    lab = Lab.open(disk, DATA, Map.of("segment.bytes", "300", "retention.ms", "-1"));
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
    sim.close();
  }

  private static void append(PartitionLog log, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      Lab.append(log, SimClock.START_MS, "a value");
    }
  }

  @Test
  void retention_waits_for_it_and_the_log_stays_open() throws Exception {
    PartitionLog log = lab.orders();
    append(log, 12);
    atFirst(
        call -> call.kind() == Kind.SYNC && call.path().toString().endsWith("0.log"),
        () -> log.dropSegmentsBelow(12));
    log.flush();
    other.join();
    assertThat(log.isClosed()).isFalse();
    assertThat(log.segments()).hasSize(1);
    assertThat(lab.events).isEmpty();
  }

  @Test
  void appends_do_not_wait_for_it() throws Exception {
    PartitionLog log = lab.orders();
    append(log, 2);
    atFirst(
        call -> call.kind() == Kind.SYNC && call.path().toString().endsWith(".log"),
        () -> append(log, 1));
    log.flush();
    other.join();
    assertThat(log.view().end()).isEqualTo(3);
    assertThat(log.recoveryPoint()).isEqualTo(2);
  }

  @Test
  void one_that_waits_for_a_truncation_does_not_take_what_was_cut_for_durable() throws Exception {
    PartitionLog log = lab.orders();
    append(log, 12);
    atFirst(call -> call.kind() == Kind.TRUNCATE, log::flush);
    log.truncateTo(5);
    other.join();
    assertThat(log.view().end()).isEqualTo(5);
    assertThat(log.recoveryPoint()).isEqualTo(5);
    append(log, 3);
    assertThat(log.recoveryPoint()).isEqualTo(5);
  }

  @Test
  void a_deletion_waits_for_it() throws Exception {
    PartitionLog log = lab.orders();
    append(log, 12);
    atFirst(
        call -> call.kind() == Kind.SYNC && call.path().toString().endsWith("0.log"),
        () -> lab.store.delete(Lab.ORDERS));
    log.flush();
    other.join();
    assertThat(lab.events).isEmpty();
  }

  /** At the first disk call of this kind another thread does this. */
  private void atFirst(Predicate<DiskCall> kind, Meanwhile.Work work) {
    disk.watch(
        (call, bytes) -> {
          if (kind.test(call) && !other.isStarted()) {
            other.start(work);
          }
        });
  }
}
