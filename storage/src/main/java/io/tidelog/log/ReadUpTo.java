package io.tidelog.log;

/** Which offset bounds a read. */
public enum ReadUpTo {
  /** read_uncommitted clients. */
  HIGH_WATERMARK,
  /** read_committed clients. */
  LAST_STABLE_OFFSET,
  /** The engine's own readers and coordinators that load. */
  LOG_END
}
