package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Directories that were named together have to agree, and so have the partitions of a topic. */
class AgreementCheckTest {
  private static final Path FIRST = Path.of("/first");
  private static final Path SECOND = Path.of("/second");

  private final SimDisk disk = new SimDisk(3);

  @BeforeEach
  void writeTwoDirectories() throws IOException {
    disk.createDirectories(FIRST);
    disk.createDirectories(SECOND);
    identify(FIRST, "cluster", 1, 11);
    identify(SECOND, "cluster", 1, 12);
  }

  private void identify(Path directory, String cluster, int node, long id) throws IOException {
    new MetaProperties(cluster, node, Optional.of(new TopicId(0, id)), Map.of())
        .write(disk, directory);
  }

  private void folder(Path directory, String name, TopicId id) throws IOException {
    Path folder = directory.resolve(name);
    disk.createDirectories(folder);
    new PartitionMetadata(disk, folder).write(id);
  }

  private List<Finding> findings() throws IOException {
    return Verifier.verify(disk, List.of(FIRST, SECOND), VerifyOptions.batches())
        .atLeast(Severity.WARNING);
  }

  private void assertIdentityWrong(String found) throws IOException {
    assertThat(findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.IDENTITY_WRONG);
              assertThat(finding.file()).isEqualTo(SECOND.resolve(MetaProperties.FILE_NAME));
              assertThat(finding.found()).isEqualTo(found);
              assertThat(finding.expected()).contains("/first/meta.properties");
            });
  }

  @Test
  void directories_of_one_broker_agree() throws IOException {
    assertThat(findings()).isEmpty();
  }

  @Test
  void another_cluster_is_told() throws IOException {
    identify(SECOND, "clustes", 1, 12);
    assertIdentityWrong("cluster.id clustes");
  }

  @Test
  void another_broker_is_told() throws IOException {
    identify(SECOND, "cluster", 2, 12);
    assertIdentityWrong("node.id 2");
  }

  @Test
  void a_directory_id_that_two_have_is_told() throws IOException {
    identify(SECOND, "cluster", 1, 11);
    assertIdentityWrong("directory.id " + new TopicId(0, 11));
  }

  @Test
  void a_partition_with_another_topic_id_than_the_others_is_told() throws IOException {
    TopicId id = new TopicId(7, 8);
    folder(FIRST, "orders-0", new TopicId(7, 9));
    folder(FIRST, "orders-1", id);
    folder(SECOND, "orders-2", id);
    folder(SECOND, "returns-0", new TopicId(1, 1));

    assertThat(findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.TOPIC_ID_WRONG);
              assertThat(finding.file())
                  .isEqualTo(FIRST.resolve("orders-0").resolve(PartitionMetadata.FILE_NAME));
              assertThat(finding.expected()).isEqualTo(id + ", as orders-1 has it");
            });
  }
}
