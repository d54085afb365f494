package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader.LoadSummary;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLoaderTest {
  private final Queue<Runnable> work = new ArrayDeque<>();
  private final Playback playback = new Playback();
  private OffsetsLog offsets;
  private StateLoader<CoordinatorRecord> loader;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    offsets = new OffsetsLog(directory, Map.of());
    offsets.append(OffsetsLog.commits(0, 10));
    loader =
        new StateLoader<>(
            offsets.led,
            work::add,
            new ClockTime(offsets.time),
            1_000,
            new GroupCoordinatorRecordSerde());
  }

  @AfterEach
  void stop() throws IOException {
    offsets.close();
  }

  private CompletableFuture<LoadSummary> load() {
    return loader.load(OffsetsLog.NAME, playback);
  }

  private CompletableFuture<Void> settled() {
    return offsets.led.find(OffsetsLog.NAME).orElseThrow().settled();
  }

  private static void assertGivenUp(CompletableFuture<LoadSummary> load) {
    assertThat(load).isCompletedExceptionally();
    assertThatThrownBy(load::join).hasCauseInstanceOf(NotLeaderOrFollowerException.class);
  }

  @Test
  void a_load_runs_on_the_executor_and_says_how_long_it_waited_and_took() {
    CompletableFuture<LoadSummary> load = load();
    offsets.time.advanceMs(30);
    assertThat(load).isNotDone();
    work.remove().run();
    assertThat(load.join().schedulerQueueTimeMs()).isEqualTo(30);
    assertThat(load.join().numRecords()).isEqualTo(10);
    assertThat(playback.offsets).hasSize(10);
  }

  @Test
  void the_partition_is_not_settled_by_the_load_but_by_the_coordinator_that_serves_it() {
    load();
    work.remove().run();
    assertThat(settled()).isNotDone();
    offsets.writer.registerListener(OffsetsLog.NAME, (partition, offset) -> {});
    assertThat(settled()).isDone();
  }

  @Test
  void a_partition_that_is_not_led_is_not_loaded() {
    offsets.led.remove(0);
    assertGivenUp(load());
    assertThat(work).isEmpty();
  }

  @Test
  void a_load_is_given_up_when_the_partition_is_led_no_more() {
    CompletableFuture<Void> settled = settled();
    CompletableFuture<LoadSummary> load = load();
    offsets.led.remove(0);
    work.remove().run();
    assertGivenUp(load);
    assertThat(playback.offsets).isEmpty();
    assertThat(settled).isDone();
  }

  @Test
  void a_load_is_given_up_when_the_loader_is_closed() {
    CompletableFuture<LoadSummary> load = load();
    loader.close();
    work.remove().run();
    assertGivenUp(load);
    assertThat(playback.offsets).isEmpty();
  }

  @Test
  void a_log_that_is_gone_fails_the_load() throws IOException {
    CompletableFuture<LoadSummary> load = load();
    offsets.delete();
    work.remove().run();
    assertThat(load).isCompletedExceptionally();
    assertThat(settled()).isDone();
  }
}
