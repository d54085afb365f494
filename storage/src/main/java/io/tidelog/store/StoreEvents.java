package io.tidelog.store;

/**
 * Hears what happens in a store that a person may want to know; one sentence each. The broker turns
 * these into log lines and metrics.
 */
public interface StoreEvents {
  StoreEvents SILENT = (kind, sentence) -> {};

  /** Which kind of thing happened. */
  enum Kind {
    RECOVERED,
    REPAIRED,
    DELETED,
    FULL,
    COMPACTED,
    UNCLEANABLE,
    FAILED
  }

  void happened(Kind kind, String sentence);
}
