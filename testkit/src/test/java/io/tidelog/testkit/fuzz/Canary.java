package io.tidelog.testkit.fuzz;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A claim that is false, for an input that nobody guesses: whether a fuzzer finds it out shows
 * whether it is guided by branches and comparisons.
 */
final class Canary implements FuzzTarget {
  static final int NEEDLE = 0x7ead_be11;

  @Override
  public List<byte[]> seeds() {
    return List.of(new byte[12]);
  }

  @Override
  public void check(byte[] input) {
    ByteBuffer bytes = ByteBuffer.wrap(input);
    if (bytes.remaining() >= 9 && bytes.get(0) == 'T' && bytes.getInt(1) == NEEDLE) {
      if (bytes.getInt(5) == ~NEEDLE) {
        throw new IllegalStateException("the canary sings");
      }
    }
  }
}
