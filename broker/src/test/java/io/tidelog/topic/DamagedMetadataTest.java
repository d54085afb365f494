package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metadata that are damaged or gone are not taken for those of a new cluster. */
class DamagedMetadataTest extends WithDirectory {
  @Test
  void a_damaged_metadata_log_after_a_clean_stop_is_refused() throws IOException {
    TestTopics.start(disk).close();
    overwrite(METADATA_LOG, 70, new byte[] {99});
    assertRefused("__cluster_metadata-0", "CRC", "clean");
  }

  @Test
  void a_torn_metadata_log_after_a_crash_is_admitted() throws IOException {
    TestTopics.start(disk).close();
    disk.delete(DATA.resolve(".kafka_cleanshutdown"));
    overwrite(METADATA_LOG, (int) disk.sizeBytes(METADATA_LOG), new byte[] {1, 2, 3});
    assertThat(admit()).isNotNull();
    TestTopics.start(disk).close();
  }

  @Test
  void a_metadata_log_damaged_in_the_middle_is_refused_where_it_would_forget_topics()
      throws IOException {
    long beforeOrders;
    try (TestTopics topics = TestTopics.start(disk)) {
      beforeOrders = disk.sizeBytes(METADATA_LOG);
      topics.create(NewTopic.named("orders"));
      topics.create(NewTopic.named("later"));
    }
    disk.delete(DATA.resolve(".kafka_cleanshutdown"));
    overwrite(METADATA_LOG, (int) beforeOrders + RecordBatch.HEADER_BYTES, new byte[] {99});
    assertRefused("__cluster_metadata-0", "CRC", "sound metadata follow", "the topic of", "-0");
  }

  @Test
  void a_metadata_log_whose_file_is_gone_is_refused() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders"));
    }
    disk.delete(METADATA_LOG);
    assertRefused("orders-0", "no log in __cluster_metadata-0");
    disk.delete(DATA.resolve(".kafka_cleanshutdown"));
    assertRefused("orders-0", "no log in __cluster_metadata-0");
  }

  @Test
  void a_metadata_log_that_ends_before_the_last_clean_stop_is_refused() throws IOException {
    TestTopics.start(disk).close();
    try (DiskFile log = disk.open(METADATA_LOG)) {
      log.truncate(0);
    }
    assertRefused("__cluster_metadata-0 ends at offset 0, expected", "clean stop");
  }

  @Test
  void a_damaged_snapshot_is_refused() throws IOException {
    Path snapshot = snapshot();
    overwrite(snapshot, 100, new byte[] {99});
    assertRefused(snapshot.toString(), "CRC");
  }

  @Test
  void a_cut_snapshot_is_refused() throws IOException {
    Path snapshot = snapshot();
    try (DiskFile file = disk.open(snapshot)) {
      file.truncate(file.sizeBytes() - 75);
    }
    assertRefused(snapshot.toString(), "no end");
  }

  @Test
  void a_log_without_the_snapshot_that_it_goes_on_from_is_refused() throws IOException {
    disk.delete(snapshot());
    assertRefused("__cluster_metadata-0", "begins at offset", "expected a snapshot");
  }

  @Test
  void a_log_that_ends_before_its_snapshot_is_refused() throws IOException {
    Path snapshot = snapshot();
    disk.rename(snapshot, METADATA.resolve("00000000000000000999-0000000001.checkpoint"));
    assertRefused("ends at offset", "999");
  }

  private Path snapshot() throws IOException {
    try (TestTopics topics =
        TestTopics.start(disk, Map.of("metadata.log.max.record.bytes.between.snapshots", "1"))) {
      topics.create(NewTopic.named("orders"));
    }
    return METADATA.resolve(
        disk.list(METADATA).stream()
            .filter(name -> name.endsWith(".checkpoint"))
            .findFirst()
            .orElseThrow());
  }
}
