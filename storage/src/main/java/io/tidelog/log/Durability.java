package io.tidelog.log;

/** What an acknowledgement means. */
public enum Durability {
  /**
   * The batch is in the page cache: safe from a crash of the process, not from one of the machine.
   */
  PAGE_CACHE,
  /** The batch is on disk: acknowledgements and the high watermark wait for a group fsync. */
  FSYNC
}
