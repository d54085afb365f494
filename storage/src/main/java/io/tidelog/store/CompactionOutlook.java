package io.tidelog.store;

import io.tidelog.compaction.CompactionPlan;
import java.util.Optional;

/**
 * How it stands with the compaction of a partition.
 *
 * @param plan what the next run would do, and why
 * @param progress whether one is under way
 * @param uncleanable what stands in its way
 */
public record CompactionOutlook(
    CompactionPlan plan, Progress progress, Optional<Uncleanable> uncleanable) {

  /** Whether a run is under way. */
  public enum Progress {
    NONE,
    REQUESTED,
    RUNNING
  }
}
