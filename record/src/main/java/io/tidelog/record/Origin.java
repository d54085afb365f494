package io.tidelog.record;

/** Who made a batch that is to be appended. */
public enum Origin {
  /** A producer: it may not write control batches and must number what it writes. */
  CLIENT,
  /** The broker itself, such as a coordinator. */
  BROKER
}
