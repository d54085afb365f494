package io.tidelog.topic;

import io.tidelog.log.PartitionLog;
import io.tidelog.store.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.image.MetadataImage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the metadata log small. A snapshot is due when enough was appended since the last one, or
 * something was and the last one is old enough. Once it is durable, the log below it and all older
 * snapshots go; what a crash leaves of them is not read any more.
 *
 * <p>Used by the thread that changes the log.
 */
final class Snapshots {
  private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);

  private final MetadataFolder folder;
  private final Surroundings around;
  private final ServerSettings settings;
  private final Quorum quorum;
  private long bytesSince;
  private long lastMs;

  Snapshots(
      MetadataFolder folder, Surroundings around, ServerSettings settings, MetadataReplay replay) {
    this.folder = folder;
    this.around = around;
    this.settings = settings;
    this.quorum = replay.quorum();
    this.bytesSince = replay.bytesAfterSnapshot();
    this.lastMs = around.clock().millis();
  }

  /** Removes what a crash left of a snapshot that was being written. */
  void removeUnfinished() throws IOException {
    for (Path file : folder.unfinishedSnapshots()) {
      around.disk().delete(file);
    }
  }

  /** This many bytes come into the log. */
  void appended(int bytes) {
    bytesSince += bytes;
  }

  /**
   * Takes a snapshot if one is due.
   *
   * @throws IOException if it cannot be written; it is tried again when the next one is due
   */
  void takeIfDue(PartitionLog log, MetadataImage image) throws IOException {
    long nowMs = around.clock().millis();
    if (!isDue(nowMs)) {
      return;
    }
    bytesSince = 0;
    lastMs = nowMs;
    take(log, image);
  }

  private boolean isDue(long nowMs) {
    if (bytesSince == 0) {
      return false;
    }
    long intervalMs = settings.metadataSnapshotIntervalMs();
    return bytesSince >= settings.metadataSnapshotBytes()
        || (intervalMs > 0 && nowMs - lastMs >= intervalMs);
  }

  private void take(PartitionLog log, MetadataImage image) throws IOException {
    SnapshotName name = new SnapshotName(log.view().end(), log.latestEpoch());
    SnapshotWriter.write(folder, around.clock(), name, image, quorum);
    log.dropSegmentsBelow(name.endOffset());
    for (SnapshotName other : folder.snapshots()) {
      if (!other.equals(name)) {
        around.disk().delete(folder.path().resolve(other.fileName()));
      }
    }
    LOG.info(
        "The metadata up to offset {} is in the snapshot {}", name.endOffset(), name.fileName());
  }
}
