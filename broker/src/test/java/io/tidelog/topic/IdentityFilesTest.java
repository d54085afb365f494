package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdentityFilesTest {
  private static final Path A = Path.of("/a");
  private static final Path B = Path.of("/b");

  private final SimDisk disk = new SimDisk(2);

  @BeforeEach
  void makeDirectories() throws IOException {
    disk.createDirectories(A);
    disk.createDirectories(B);
  }

  private NodeIdentity identity(OptionalInt wanted, Path... directories) throws IOException {
    return new IdentityFiles(disk, List.of(directories), new SplittableRandom(1))
        .readOrCreate(wanted);
  }

  @Test
  void new_directories_get_one_cluster_and_an_id_each() throws IOException {
    NodeIdentity node = identity(OptionalInt.empty(), A, B);
    assertThat(node.nodeId()).isEqualTo(IdentityFiles.FIRST_NODE_ID);
    assertThat(node.clusterId()).hasSize(22);
    assertThat(node.directoryIds().get(A)).isNotEqualTo(node.directoryIds().get(B));
    assertThat(identity(OptionalInt.of(1), A, B)).isEqualTo(node);
  }

  @Test
  void a_directory_that_is_added_joins_the_cluster_of_the_others() throws IOException {
    NodeIdentity before = identity(OptionalInt.of(7), A);
    NodeIdentity after = identity(OptionalInt.empty(), A, B);
    assertThat(after.clusterId()).isEqualTo(before.clusterId());
    assertThat(after.nodeId()).isEqualTo(7);
    assertThat(after.directoryIds().get(A)).isEqualTo(before.directoryIds().get(A));
    assertThat(after.directoryIds()).containsKey(B);
  }

  @Test
  void a_file_of_kafka_is_completed_and_what_else_it_holds_stays() throws IOException {
    new MetaProperties("some-cluster", 4, Optional.empty(), Map.of("extra", "kept")).write(disk, A);
    NodeIdentity node = identity(OptionalInt.empty(), A);
    assertThat(node.clusterId()).isEqualTo("some-cluster");
    assertThat(node.nodeId()).isEqualTo(4);
    MetaProperties file = MetaProperties.read(disk, A).orElseThrow();
    assertThat(file.others()).containsEntry("extra", "kept");
    assertThat(file.directoryId()).isPresent();
  }

  @Test
  void contradictions_are_named() throws IOException {
    identity(OptionalInt.of(1), A);
    assertThatThrownBy(() -> identity(OptionalInt.of(2), A))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("/a", "node.id=1", "node.id=2");
    new MetaProperties("another", 1, Optional.empty(), Map.of()).write(disk, B);
    assertThatThrownBy(() -> identity(OptionalInt.empty(), A, B))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("/a", "/b", "cluster.id=another");
  }
}
