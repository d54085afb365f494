package io.tidelog.log;

/** Who appends, which decides the rules for a batch. */
public enum AppendSource {
  /** A producer on the wire: exactly one batch, all rules, no control records. */
  CLIENT,
  /**
   * A coordinator of this broker: exactly one batch, control records allowed, no topic rules about
   * time or size.
   */
  COORDINATOR
}
