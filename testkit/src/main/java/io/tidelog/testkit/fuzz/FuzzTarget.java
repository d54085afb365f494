package io.tidelog.testkit.fuzz;

import java.util.List;

/**
 * A claim about any bytes that may come from a disk or from a client: they are decoded as they
 * should be, or refused as they should be, in memory that does not depend on what they pretend.
 *
 * <p>A test class implements it, needs a constructor without parameters, and has one test that
 * calls {@link KnownInputs#replay}. Its name ends with {@code FuzzTest}, by which {@code ./dev
 * fuzz} finds it.
 */
public interface FuzzTarget {

  /** Inputs to begin with: sound ones, so that most of the code is reached at once. */
  List<byte[]> seeds() throws Exception;

  /**
   * Throws anything if the claim does not hold for this input, which it may change. What it does
   * must depend on nothing but the input.
   */
  void check(byte[] input) throws Exception;

  /** The classes whose branches guide the fuzzer. */
  default List<String> guidedBy() {
    return List.of("io.tidelog.**");
  }
}
