package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A partition that was deleted and made again under the same name is another one: nothing that the
 * checkpoints said of the old one holds for it, wherever the power goes.
 */
class RecreatedPartitionCrashTest {
  private static final Path DATA = Path.of("/data");
  private static final TopicId SECOND_ID = new TopicId(1, 2);
  private static final Map<String, String> FSYNC = Map.of("tidelog.durability", "fsync");
  private static final int OLD_RECORDS = 30;

  @Test
  void its_records_are_as_safe_as_those_of_any_other() throws Exception {
    long cuts =
        CrashSweep.<Long>of(RecreatedPartitionCrashTest::makeAgain)
            .startingWith(RecreatedPartitionCrashTest::makeOld)
            .seeds(10)
            .afterEachCut(RecreatedPartitionCrashTest::check);
    assertThat(cuts).isGreaterThan(30);
  }

  private static void makeOld(SimDisk disk) throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, FSYNC)) {
      append(lab.orders(), OLD_RECORDS);
      lab.scheduler.runDue();
      lab.orders().advanceStart(20);
    }
  }

  private static void makeAgain(SimDisk disk, Consumer<Long> durable) throws IOException {
    try (Lab lab = Lab.open(disk, DATA, FSYNC)) {
      lab.store.delete(Lab.ORDERS);
      PartitionLog log = lab.store.create(Lab.ORDERS, SECOND_ID, LogSettings.of(FSYNC));
      durable.accept(0L);
      for (int i = 0; i < 3; i++) {
        append(log, 2);
        lab.scheduler.runDue();
        durable.accept(log.view().highWatermark());
        append(log, 1);
      }
      lab.scheduler.advanceMs(60_000);
    }
  }

  private static void check(SimDisk disk, List<Long> durable) throws IOException {
    try (Lab lab = Lab.open(disk, DATA, FSYNC).leaving(FindingKind.TOPIC_ID_MISSING)) {
      PartitionLog log =
          lab.store.find(Lab.ORDERS).isPresent()
              ? lab.orders()
              : lab.store.create(Lab.ORDERS, SECOND_ID, LogSettings.of(FSYNC));
      boolean isOld = log.topicId().equals(Lab.ORDERS_ID);
      assertThat(log.view().start()).isEqualTo(isOld ? 20 : 0);
      if (isOld) {
        assertThat(durable).isEmpty();
        assertThat(log.view().end()).isEqualTo(OLD_RECORDS);
      } else {
        long least = durable.isEmpty() ? 0 : durable.get(durable.size() - 1);
        assertThat(log.view().end()).isGreaterThanOrEqualTo(least);
      }
      requireSound(log);
      append(log, 1);
      requireSound(log);
    }
  }

  private static void requireSound(PartitionLog log) throws IOException {
    long offset = log.view().start();
    for (String value : Lab.values(log)) {
      assertThat(value).isEqualTo(value(offset++));
    }
    assertThat(offset).isEqualTo(log.view().end());
  }

  private static void append(PartitionLog log, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      Lab.append(log, SimClock.START_MS, value(log.view().end()));
    }
  }

  private static String value(long offset) {
    return offset + "x".repeat(700);
  }
}
