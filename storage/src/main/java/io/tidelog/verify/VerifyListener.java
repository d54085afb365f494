package io.tidelog.verify;

/** Told how far a check is. Calls come from the check's threads, one at a time. */
@FunctionalInterface
public interface VerifyListener {

  /** So many bytes of logs are checked, of so many. */
  void progress(long doneBytes, long totalBytes);
}
