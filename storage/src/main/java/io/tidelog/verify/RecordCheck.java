package io.tidelog.verify;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Looks at what is in the records of a topic whose format somebody knows: the internal topics. Used
 * by one thread.
 */
@FunctionalInterface
public interface RecordCheck {

  /**
   * What is wrong with a record, as the rest of a sentence; empty if nothing is.
   *
   * @param key may be null; a view that ends with the call
   * @param value may be null; a view that ends with the call
   */
  Optional<String> problem(ByteBuffer key, ByteBuffer value);

  /** Has the checks for the topics that it knows. Used by many threads. */
  @FunctionalInterface
  interface Source {
    /** Knows no topic. */
    Source NONE = topic -> Optional.empty();

    /** A new check for one thread; empty for a topic whose records can hold anything. */
    Optional<RecordCheck> of(String topic);
  }
}
