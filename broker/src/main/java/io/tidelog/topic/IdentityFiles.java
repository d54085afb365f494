package io.tidelog.topic;

import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;

/** The {@code meta.properties} of all data directories, which together say who this node is. */
public final class IdentityFiles {
  /** The node.id of new data directories when the settings name none. */
  public static final int FIRST_NODE_ID = 1;

  private final Disk disk;
  private final List<Path> directories;
  private final RandomGenerator random;

  /**
   * @param directories all data directories; they exist
   * @param random gives ids to a new cluster and to new directories
   */
  public IdentityFiles(Disk disk, List<Path> directories, RandomGenerator random) {
    this.disk = disk;
    this.directories = List.copyOf(directories);
    this.random = random;
  }

  /**
   * Reads the identity and changes nothing.
   *
   * @param directories data directories that exist
   * @param wantedNodeId node.id where the settings name one
   * @return empty if no directory has one; else with the directories that have an id
   * @throws IOException if a file is malformed, or the directories or the settings contradict each
   *     other
   */
  static Optional<NodeIdentity> read(Disk disk, List<Path> directories, OptionalInt wantedNodeId)
      throws IOException {
    Map<Path, MetaProperties> found = find(disk, directories, wantedNodeId);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Map<Path, Uuid> ids = new LinkedHashMap<>();
    found.forEach(
        (directory, file) ->
            ids.put(directory, file.directoryId().map(Ids::uuid).orElse(DirectoryId.UNASSIGNED)));
    MetaProperties first = found.values().iterator().next();
    return Optional.of(new NodeIdentity(first.clusterId(), first.nodeId(), ids));
  }

  private static Map<Path, MetaProperties> find(
      Disk disk, List<Path> directories, OptionalInt wantedNodeId) throws IOException {
    Map<Path, MetaProperties> found = new LinkedHashMap<>();
    for (Path directory : directories) {
      MetaProperties.read(disk, directory).ifPresent(file -> found.put(directory, file));
    }
    agreed(found, "cluster.id", MetaProperties::clusterId);
    Optional<Integer> nodeId = agreed(found, "node.id", MetaProperties::nodeId);
    if (nodeId.isPresent() && wantedNodeId.isPresent() && wantedNodeId.getAsInt() != nodeId.get()) {
      throw new IOException(
          "%s says node.id=%d, the settings say node.id=%d. Set the node.id of the directory, or use another directory."
              .formatted(found.keySet().iterator().next(), nodeId.get(), wantedNodeId.getAsInt()));
    }
    return found;
  }

  /**
   * Reads the identity, and writes it to the directories that lack it. To be called under the
   * directories' locks.
   *
   * @param wantedNodeId node.id where the settings name one
   * @throws IOException if a file is malformed, or the directories or the settings contradict each
   *     other
   */
  public NodeIdentity readOrCreate(OptionalInt wantedNodeId) throws IOException {
    Map<Path, MetaProperties> found = find(disk, directories, wantedNodeId);
    Optional<MetaProperties> first = found.values().stream().findFirst();
    String clusterId =
        first.map(MetaProperties::clusterId).orElseGet(() -> Ids.next(random).toString());
    int nodeId = first.map(MetaProperties::nodeId).orElse(wantedNodeId.orElse(FIRST_NODE_ID));
    Map<Path, Uuid> directoryIds = new LinkedHashMap<>();
    for (Path directory : directories) {
      MetaProperties file = found.get(directory);
      if (file == null || file.directoryId().isEmpty()) {
        file = complete(file, clusterId, nodeId);
        file.write(disk, directory);
      }
      directoryIds.put(directory, Ids.uuid(file.directoryId().orElseThrow()));
    }
    return new NodeIdentity(clusterId, nodeId, directoryIds);
  }

  private MetaProperties complete(MetaProperties file, String clusterId, int nodeId) {
    Map<String, String> others = file == null ? Map.of() : file.others();
    Optional<TopicId> directoryId = Optional.of(Ids.topicId(Ids.next(random)));
    return new MetaProperties(clusterId, nodeId, directoryId, others);
  }

  /** What all files say, if there are any. */
  private static <T> Optional<T> agreed(
      Map<Path, MetaProperties> found, String key, Function<MetaProperties, T> value)
      throws IOException {
    T first = null;
    for (Map.Entry<Path, MetaProperties> file : found.entrySet()) {
      T here = value.apply(file.getValue());
      if (first != null && !first.equals(here)) {
        throw new IOException(
            "%s says %s=%s, %s says %s=%s. Directories of one broker must agree: give each broker its own."
                .formatted(found.keySet().iterator().next(), key, first, file.getKey(), key, here));
      }
      first = here;
    }
    return Optional.ofNullable(first);
  }
}
