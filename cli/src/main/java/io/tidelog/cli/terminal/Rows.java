package io.tidelog.cli.terminal;

/** Where the results go that have a kind and fields. */
public interface Rows {

  /** Shows a row. It holds views that end with this call. */
  void row(Row row);
}
