package io.tidelog.bench.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a pipeline sends, and what it expects to get. */
public interface Work {

  /** The next request over a connection. May lie in the same buffer as the one before. */
  ByteBuffer request(int connection);

  /**
   * Checks the next answer over a connection, answers come in the order of the requests.
   *
   * @return bytes of records that it is about
   * @throws RefusedException if it holds an error
   */
  long answered(int connection, ByteBuffer answer) throws IOException;
}
