package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.store.Scheduler;
import io.tidelog.store.Surroundings;
import io.tidelog.testkit.RoomSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** A broker that is started on a full disk, or finds it full: it reads, and writes when it can. */
class FullDiskBrokerTest {
  private static final long RESERVED = 1 << 20;

  /** Background work that a test runs when it likes. */
  private static final class ByHand implements Scheduler {
    private final Scheduler real = SimBroker.background();
    private final List<Runnable> everyNowAndThen = new ArrayList<>();
    private final SimClock clock = new SimClock();

    @Override
    public void execute(Runnable work) {
      real.execute(work);
    }

    @Override
    public void after(long delayMs, Runnable work) {
      real.after(delayMs, work);
    }

    @Override
    public void every(long periodMs, Runnable work) {
      if (periodMs == 1_000) {
        everyNowAndThen.add(work);
      }
    }

    void look() {
      clock.advanceMs(30_000);
      everyNowAndThen.forEach(Runnable::run);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private static TestBroker start(SimDisk disk, ByHand scheduler, List<String> events)
      throws IOException {
    return TestBroker.start(
        BrokerSettings.embedded(SimBroker.DIRECTORY)
            .with("tidelog.reserved.disk.bytes", Long.toString(RESERVED)),
        new Surroundings(
            disk,
            scheduler.clock,
            new SplittableRandom(1),
            scheduler,
            (kind, sentence) -> events.add(kind + " " + sentence)));
  }

  @Test
  void below_the_reserve_producers_are_told_to_try_again_and_all_else_goes_on() throws IOException {
    SimDisk disk = new SimDisk(1);
    ByHand scheduler = new ByHand();
    List<String> events = new ArrayList<>();
    try (TestBroker broker = start(disk, scheduler, events);
        DataClient client = broker.dataClient()) {
      Topic topic = broker.create("full");
      Topic doomed = broker.create("doomed");
      client.produce(topic, 0, Batches.of("before"));
      disk.limitSpace(RESERVED - 1);
      scheduler.look();
      for (int i = 0; i < 3; i++) {
        assertThat(Errors.forCode(client.produce(topic, 0, Batches.of("refused")).errorCode()))
            .isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("before");
        scheduler.look();
      }
      broker.delete(doomed);
      assertThat(broker.create("created", 2, Map.of()).partitionCount()).isEqualTo(2);
      assertThat(events).singleElement().asString().startsWith("FULL");
      RoomSweep.plenty(disk);
      scheduler.look();
      assertThat(client.produce(topic, 0, Batches.of("after")).baseOffset()).isEqualTo(1);
      assertThat(events).hasSize(2);
    }
  }

  @Test
  void started_on_a_full_disk_after_a_crash_it_serves_readers_and_goes_over_to_writing()
      throws Exception {
    int unservable = 0;
    for (long room = 0; room < 3_000; room += 397) {
      SimDisk disk = crashed();
      disk.limitSpace(room);
      ByHand scheduler = new ByHand();
      List<String> events = new ArrayList<>();
      try (TestBroker broker = start(disk, scheduler, events);
          DataClient client = broker.dataClient()) {
        Topic topic = broker.topics().find("records").orElseThrow();
        assertThat(client.listOffsets(topic, 0, -1).offset()).as("room %d", room).isEqualTo(30);
        for (int offset = 0; offset < 30; offset++) {
          assertThat(Batches.values(client.fetch(topic, 0, offset))).isNotEmpty();
        }
        assertThat(Errors.forCode(client.produce(topic, 0, Batches.of("refused")).errorCode()))
            .isEqualTo(Errors.KAFKA_STORAGE_ERROR);
        unservable += client.listOffsets(topic, 0, -1).leaderEpoch() == 0 ? 1 : 0;
        RoomSweep.plenty(disk);
        scheduler.look();
        assertThat(client.produce(topic, 0, Batches.of("after")).baseOffset()).isEqualTo(30);
        topic = broker.topics().find("records").orElseThrow();
        assertThat(topic.partition(0).orElseThrow().leaderEpoch()).isEqualTo(1);
        assertThat(broker.create("new").partitionCount()).isEqualTo(1);
      }
      disk.close();
    }
    assertThat(unservable).isPositive();
  }

  /** What a power cut leaves of a broker with a topic of three segments. */
  private static SimDisk crashed() throws IOException {
    SimDisk disk = new SimDisk(1);
    TestBroker broker = SimBroker.start(disk);
    try (DataClient client = broker.dataClient()) {
      Topic topic =
          broker.create(
              "records", 1, Map.of("segment.bytes", "1048576", "tidelog.durability", "fsync"));
      for (int i = 0; i < 30; i++) {
        client.produce(topic, 0, Batches.sized(1, 100_000));
      }
    }
    SimDisk after = disk.crash(5);
    SimBroker.endPowerless(broker);
    return after;
  }
}
