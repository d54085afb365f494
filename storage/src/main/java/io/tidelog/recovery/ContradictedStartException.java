package io.tidelog.recovery;

import io.tidelog.checkpoint.OffsetCheckpoint;
import java.nio.file.Path;

/**
 * After a clean stop the start offset of a log is not where its leader epochs begin. Nothing was
 * changed: one number would show what was deleted, the other hide what was not.
 */
public final class ContradictedStartException extends UntrustedStartException {
  private static final long serialVersionUID = 1L;

  private final long witnessed;

  ContradictedStartException(Path folder, long said, long witnessed) {
    super(
        "%s says that %s begins at offset %d, and %s that it begins at %d: one of them is damaged. Restore it, or set both to the offset up to which records were deleted"
            .formatted(
                folder.resolveSibling(OffsetCheckpoint.Kind.LOG_START.fileName()),
                folder.getFileName(),
                said,
                folder.resolve("leader-epoch-checkpoint"),
                witnessed));
    this.witnessed = witnessed;
  }

  /** Where the leader epochs say that it begins. */
  public long witnessed() {
    return witnessed;
  }
}
