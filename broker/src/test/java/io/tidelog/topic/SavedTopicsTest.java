package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.disk.DiskFile;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.Severity;
import io.tidelog.verify.TopicCatalog;
import io.tidelog.verify.TopicCatalog.Cleanup;
import io.tidelog.verify.Verifier;
import io.tidelog.verify.VerifyOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A check that knows the metadata: of which topics there are, and of the metadata log itself. */
class SavedTopicsTest {
  private static final Path DATA = TestTopics.DATA;
  private static final Path METADATA = DATA.resolve("__cluster_metadata-0");

  private final SimDisk disk = new SimDisk(4);

  private TopicCatalog catalog() throws IOException {
    return SavedConfigs.read(disk, DATA).orElseThrow().catalog();
  }

  private List<Finding> findings() throws IOException {
    VerifyOptions options =
        VerifyOptions.deep().withThreads(1).withRecords(MetadataRecordCheck::of);
    return Verifier.verify(disk, DATA, options.withTopics(catalog())).atLeast(Severity.WARNING);
  }

  private List<Finding> findingsWithoutCatalog() throws IOException {
    VerifyOptions options =
        VerifyOptions.deep().withThreads(1).withRecords(MetadataRecordCheck::of);
    return Verifier.verify(disk, DATA, options).atLeast(Severity.WARNING);
  }

  private void folder(String name, TopicId id) throws IOException {
    disk.createDirectories(DATA.resolve(name));
    new PartitionMetadata(disk, DATA.resolve(name)).write(id);
  }

  @Test
  void what_a_check_needs_to_know_of_a_topic_is_what_was_set() throws IOException {
    Topic orders;
    try (TestTopics topics = TestTopics.start(disk)) {
      orders =
          topics.create(
              NewTopic.named("orders")
                  .withPartitions(3)
                  .withConfigs(
                      Map.of("cleanup.policy", "compact,delete", "index.interval.bytes", "77")));
      topics.create(NewTopic.named("plain"));
    }

    assertThat(catalog().find("orders"))
        .contains(new TopicCatalog.TopicFacts(Ids.topicId(orders.id()), 3, Cleanup.COMPACT, 77));
    assertThat(catalog().find("plain").orElseThrow().cleanup()).isEqualTo(Cleanup.DELETE);
    assertThat(catalog().find("none")).isEmpty();
    assertThat(findings()).isEmpty();
  }

  @Test
  void a_folder_of_another_topic_or_of_none_is_told() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders"));
    }
    folder("orders-0", new TopicId(3, 4));
    folder("orders-1", new TopicId(3, 4));
    folder("unknown-0", new TopicId(5, 6));

    assertThat(findings())
        .extracting(finding -> finding.kind() + " " + finding.file())
        .containsExactly(
            "TOPIC_UNKNOWN /data/orders-1",
            "TOPIC_UNKNOWN /data/unknown-0",
            "TOPIC_ID_WRONG /data/orders-0/partition.metadata");
  }

  @Test
  void a_folder_that_a_crash_kept_from_being_put_aside_is_no_stranger() throws IOException {
    TopicId id;
    try (TestTopics topics = TestTopics.start(disk)) {
      Topic gone = topics.create(NewTopic.named("gone"));
      id = Ids.topicId(gone.id());
      topics.delete(gone);
    }
    assertThat(catalog().wasDeleted(id)).isTrue();
    folder("gone-0", id);

    assertThat(findings()).isEmpty();
  }

  @Test
  void every_byte_of_a_snapshot_counts() throws IOException {
    Map<String, String> eachChange = Map.of("metadata.log.max.record.bytes.between.snapshots", "1");
    try (TestTopics topics = TestTopics.start(disk, eachChange)) {
      topics.create(NewTopic.named("orders"));
    }
    assertThat(findings()).isEmpty();
    String name =
        disk.list(METADATA).stream().filter(n -> n.endsWith(".checkpoint")).findFirst().get();
    Path snapshot = METADATA.resolve(name);
    List<String> missed = new ArrayList<>();
    try (DiskFile file = disk.open(snapshot)) {
      byte[] sound = new byte[(int) file.sizeBytes()];
      file.read(ByteBuffer.wrap(sound), 0);
      for (int at = 0; at < sound.length; at++) {
        file.write(ByteBuffer.wrap(new byte[] {(byte) (sound[at] ^ (1 << (at % 8)))}), at);
        addIfMissed(snapshot, "bit " + at % 8 + " of byte " + at, missed);
        file.write(ByteBuffer.wrap(sound, at, 1), at);
      }
      for (int length = sound.length - 1; length >= 0; length--) {
        file.truncate(length);
        addIfMissed(snapshot, "a cut at " + length, missed);
      }
    }
    assertThat(missed).isEmpty();
  }

  private void addIfMissed(Path snapshot, String what, List<String> missed) throws IOException {
    boolean isNamed =
        findingsWithoutCatalog().stream()
            .anyMatch(
                finding ->
                    finding.kind() == FindingKind.METADATA_SNAPSHOT_DAMAGED
                        && finding.file().equals(snapshot));
    if (!isNamed) {
      missed.add(what);
    }
  }
}
