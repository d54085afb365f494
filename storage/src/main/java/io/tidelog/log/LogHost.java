package io.tidelog.log;

import java.io.IOException;
import java.nio.file.Path;

/** What a log asks of the store that it lives in. */
public interface LogHost {

  /** Makes {@link PartitionLog#startToSave} durable. */
  void saveStart(PartitionLog log) throws IOException;

  /** Makes a log's recovery point durable. */
  void saveRecoveryPoint(PartitionLog log) throws IOException;

  /**
   * Takes room for a batch that a client wants to append.
   *
   * @param folder of the log
   * @throws NoRoomException if its data directory has none
   */
  void takeRoom(Path folder, int batchBytes) throws NoRoomException;

  /** Learns that a log is about to be cut, so that it ends at an offset. */
  void cutting(PartitionLog log, long end) throws IOException;

  /** Runs work once after a delay, in the background. */
  void later(long delayMs, Runnable work);

  /** Tells a person that something on disk was found broken and mended. */
  void repaired(String sentence);

  /** Tells a person that segments were dropped, or that something failed. */
  void noticed(String sentence);

  /** What moves the high watermark of logs with this durability. */
  Commitment commitment(Durability durability);
}
