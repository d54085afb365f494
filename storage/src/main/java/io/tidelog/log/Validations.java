package io.tidelog.log;

import io.tidelog.record.BatchValidator;
import io.tidelog.record.Codecs;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * Batch validators to borrow. One keeps buffers and native codec states, so there are only as many
 * as appends ever ran at the same time, however many logs there are.
 */
public final class Validations implements AutoCloseable {
  private final Supplier<Codecs> codecs;
  private final ArrayDeque<Validation> idle = new ArrayDeque<>();

  /**
   * @param codecs makes the codecs of one validator
   */
  public Validations(Supplier<Codecs> codecs) {
    this.codecs = codecs;
  }

  /** A validator for one append; closing it gives it back. */
  Validation borrow() {
    synchronized (idle) {
      Validation validation = idle.pollLast();
      if (validation != null) {
        return validation;
      }
    }
    Codecs own = codecs.get();
    return new Validation(this, own, new BatchValidator(own));
  }

  void giveBack(Validation validation) {
    synchronized (idle) {
      idle.addLast(validation);
    }
  }

  /** Frees the native memory of the idle ones. */
  @Override
  public void close() {
    synchronized (idle) {
      idle.forEach(Validation::free);
      idle.clear();
    }
  }
}
