package io.tidelog.verify;

/** How bad a finding is; the worse the later. */
public enum Severity {
  /** As it may be: what a crash leaves, what an interrupted step left, what cannot be judged. */
  NOTE,
  /** Not as it should be; no record is lost, and what is wrong can be made again. */
  WARNING,
  /** Records are damaged or missing, or readers are misled. */
  DAMAGE
}
