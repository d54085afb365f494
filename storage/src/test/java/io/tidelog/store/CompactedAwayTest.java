package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where compaction left nothing, searches and cuts look at what is there all the same. */
class CompactedAwayTest {
  private static final Path DATA = Path.of("/data");
  private static final long NOW = SimClock.START_MS;

  private final SimDisk disk = new SimDisk(1);

  private Lab lab() throws IOException {
    disk.createDirectories(DATA);
    return Lab.open(
        disk,
        DATA,
        new SimClock(),
        Map.of("cleanup.policy", "compact", "segment.bytes", "250"),
        CleanerSettings.DEFAULTS);
  }

  @Test
  void a_cut_behind_records_that_are_gone_goes_back_to_the_last_that_is_there() throws IOException {
    try (Lab lab = lab()) {
      PartitionLog log = lab.orders();
      for (int i = 0; i < 6; i++) {
        Lab.append(log, NOW, "same:" + i);
      }
      lab.compact();
      long kept = Lab.entries(log, 4096).get(0).offset();
      assertThat(kept).isGreaterThan(0);
      log.truncateTo(kept);
      assertThat(Lab.values(log)).isEmpty();
      assertThat(log.view().end()).isZero();
    }
    try (Lab lab = lab()) {
      assertThat(lab.orders().view().end()).isZero();
      assertThat(lab.events).noneMatch(event -> event.contains("ends at offset"));
    }
  }

  @Test
  void the_time_of_a_record_that_is_gone_is_not_the_latest() throws IOException {
    try (Lab lab = lab()) {
      PartitionLog log = lab.orders();
      log.append(late(), 0, AppendSource.CLIENT);
      for (int i = 0; i < 6; i++) {
        Lab.append(log, NOW + i, "same:" + i);
      }
      lab.compact();
      assertThat(Lab.entries(log, 4096)).extracting(Lab.Entry::offset).doesNotContain(0L);
      assertThat(log.offsetOfMaxTimestamp().timestampMs()).isEqualTo(NOW + 5);
    }
  }

  /** Its batch stays without records, since its producer has sent no other. */
  private static ByteBuffer late() {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      return Lab.copy(
          new RecordBatchWriter(codecs)
              .begin()
              .producer(5, (short) 0, 0)
              .append(NOW + 1_000, bytes("same"), bytes("late"))
              .finish());
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
