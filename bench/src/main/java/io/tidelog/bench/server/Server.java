package io.tidelog.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A broker that can be started, on a directory of its own, on loopback. */
public interface Server {

  /** What to call it. */
  String name();

  /** Prepares an empty directory; not part of what is measured. */
  void prepare(Path directory, int port) throws IOException, InterruptedException;

  /** The command that starts it on what was prepared. */
  ProcessBuilder command(Path directory, int port);

  /** What a topic needs so that an acknowledgement means: on disk. */
  Map<String, String> durableTopic();

  /** What a topic needs so that batches are taken by their headers, as far as that can be had. */
  Map<String, String> headerTopic();
}
