package io.tidelog.log;

/**
 * What moves the high watermark. The one place where "written" becomes "acknowledged": at once,
 * after a group fsync, or, one day, after replication.
 */
public interface Commitment {

  /** Commits at once: an acknowledgement means the page cache. */
  Commitment AT_ONCE =
      new Commitment() {
        @Override
        public long highWatermarkAfter(long highWatermark, long end) {
          return end;
        }

        @Override
        public void written(PartitionLog log) {
          // Committed already.
        }
      };

  /**
   * The high watermark to publish together with a new end offset.
   *
   * @param highWatermark the one before
   * @param end the new end offset
   */
  long highWatermarkAfter(long highWatermark, long end);

  /** Told after each append, outside of the log's lock, so that it can commit later. */
  void written(PartitionLog log);
}
