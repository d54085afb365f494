package io.tidelog.bench;

import java.io.IOException;
import java.nio.file.Path;

/** A broker that can be started again and again, each time with nothing in its data directory. */
interface Server {

  /** What to call it in a table. */
  String name();

  /** Prepares an empty data directory; not part of what is measured. */
  void prepare(Path directory, int port) throws IOException, InterruptedException;

  /** The command that starts it, on what was prepared. */
  ProcessBuilder command(Path directory, int port);
}
