package io.tidelog.recovery;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.log.PartitionLog;

/**
 * After a clean stop a log's start offset lies past its end. Nothing was changed: all records would
 * be lost if it were taken as it is.
 */
public final class ImplausibleStartException extends UntrustedStartException {
  private static final long serialVersionUID = 1L;

  ImplausibleStartException(PartitionLog.Identity identity, long start, long end) {
    super(
        "%s: found start offset %d of %s, expected at most %d, where that log ended when it was stopped. Restore the file, or take that line out: the start is then found from the segments"
            .formatted(
                identity.directory().resolveSibling(OffsetCheckpoint.Kind.LOG_START.fileName()),
                start,
                identity.topicPartition(),
                end));
  }
}
