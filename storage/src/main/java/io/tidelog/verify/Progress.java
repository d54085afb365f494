package io.tidelog.verify;

/** Adds up what threads have checked, and tells it. */
final class Progress {
  private final long totalBytes;
  private final VerifyListener listener;
  private long doneBytes;

  Progress(long totalBytes, VerifyListener listener) {
    this.totalBytes = totalBytes;
    this.listener = listener;
  }

  /** So much more is done. */
  synchronized void add(long bytes) {
    doneBytes += bytes;
    listener.progress(doneBytes, totalBytes);
  }
}
