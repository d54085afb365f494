package io.tidelog.log;

/**
 * Told after the high watermark, last stable offset or start offset of a log has moved, or the log
 * was closed or has failed. Called on the thread that moved it (an appender or the group sync),
 * outside of the log's lock: must be quick and must not throw.
 */
@FunctionalInterface
public interface LogListener {
  void moved(PartitionLog log);
}
