package io.tidelog.bench.run;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.server.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Something that servers are made to do. */
public interface Load {

  /** What it is called on the command line and in the table. */
  String name();

  /** What its samples hold. */
  List<Figure> figures();

  /**
   * Prepares it on a server.
   *
   * @param directory an empty one, deleted afterwards
   */
  Subject on(Server server, Path directory, Plan plan) throws Exception;

  /** Prepares the same for a bare loop around the same system calls, if there is one. */
  default Optional<Subject> floor(Path directory, Plan plan) throws Exception {
    return Optional.empty();
  }
}
