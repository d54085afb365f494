package io.tidelog.cli.dump;

import java.io.IOException;

/** Shows what one file holds, as far as it is sound. */
interface FileDump {

  /**
   * Sends a row for each thing in the file.
   *
   * @throws io.tidelog.segment.CorruptLogException at damage past which nothing can be shown
   * @throws io.tidelog.checkpoint.MalformedFileException the same, of a side file
   * @throws IOException if the file cannot be read
   */
  void to(Findings rows) throws IOException;
}
