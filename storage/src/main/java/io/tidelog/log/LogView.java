package io.tidelog.log;

/** Skeleton: the offsets of a partition at one moment; start <= stable <= highWatermark <= end. */
public final class LogView {
  private final long start;
  private final long stable;
  private final long highWatermark;
  private final long end;

  LogView(long start, long stable, long highWatermark, long end) {
    this.start = start;
    this.stable = stable;
    this.highWatermark = highWatermark;
    this.end = end;
  }

  /** Log start offset: the first offset that may be read. */
  public long start() {
    return start;
  }

  /** Last stable offset: where a read_committed reader stops. */
  public long stable() {
    return stable;
  }

  /** High watermark: where a read_uncommitted reader stops; all below it is acknowledged. */
  public long highWatermark() {
    return highWatermark;
  }

  /** Log end offset: the offset that the next record gets. */
  public long end() {
    return end;
  }
}
