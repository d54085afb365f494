package io.tidelog.producer;

import java.util.List;

/**
 * What came of restoring the producers of a partition.
 *
 * @param replayFrom the batches from this offset on are still to be applied
 * @param dropped damaged snapshots, which were deleted
 */
public record Restored(long replayFrom, List<CorruptSnapshotException> dropped) {}
