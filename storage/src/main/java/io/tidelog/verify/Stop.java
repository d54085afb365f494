package io.tidelog.verify;

/** How whoever wrote a directory was stopped, which says what may lie in it. */
enum Stop {
  /** All that was written is there, and the caches are complete. */
  CLEAN,
  /** What lies past the recovery point may be torn, and is read again at the next start. */
  CRASHED,
  /** Not at all yet. */
  RUNNING,
  /** Nobody knows: a folder by itself. */
  UNKNOWN
}
