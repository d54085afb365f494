package io.tidelog.cli.dump;

/** Where the rows of a dump go, in the order of the file. */
interface Rows {

  /** Shows a row. It holds views that end with this call. */
  void row(Row row);
}
