package io.tidelog.bench.run;

import io.tidelog.bench.result.Sample;
import java.io.IOException;

/** A load that is prepared on one server. */
public interface Subject extends AutoCloseable {

  /** Loads the server without measuring. */
  default void warmUp() throws Exception {}

  /**
   * Runs once.
   *
   * @throws Exception at the first answer that is an error, or if records are not where they should
   *     be
   */
  Sample sample() throws Exception;

  @Override
  void close() throws IOException;
}
