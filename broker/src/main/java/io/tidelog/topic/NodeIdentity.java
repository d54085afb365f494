package io.tidelog.topic;

import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;

/**
 * Who this node is: what {@code meta.properties} in each data directory says.
 *
 * @param clusterId the cluster's id, usually 22 characters of URL-safe base64
 * @param nodeId node.id
 * @param directoryIds the id of each data directory
 */
public record NodeIdentity(String clusterId, int nodeId, Map<Path, Uuid> directoryIds) {
  public NodeIdentity {
    directoryIds = Map.copyOf(directoryIds);
  }

  /**
   * The directory id for the record of a new partition: the only one that there is, or else
   * "unassigned", since the store chooses the directory after the record is written.
   */
  Uuid directoryOfNewPartitions() {
    return directoryIds.size() == 1
        ? directoryIds.values().iterator().next()
        : DirectoryId.UNASSIGNED;
  }
}
