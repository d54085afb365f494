package io.tidelog.log;

import java.io.IOException;

/** A log that could not be opened: closed from the start, for a reason that every user is told. */
public final class OutOfService {
  private final PartitionLog.Identity identity;
  private final LogSurroundings around;
  private final LogSettings settings;

  public OutOfService(
      PartitionLog.Identity identity, LogSurroundings around, LogSettings settings) {
    this.identity = identity;
    this.around = around;
    this.settings = settings;
  }

  /**
   * The log.
   *
   * @param contents what is known of it; nothing is changed on disk
   */
  public PartitionLog because(IOException why, LogContents contents) throws IOException {
    PartitionLog log = new PartitionLog(identity, around, settings, contents);
    log.writer().shut(new LogClosedException(why.getMessage(), why));
    log.abandon();
    return log;
  }
}
